import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { PageParts } from "@vitrail/protocol";
import { useLater, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { type ReactElement, useId } from "react";
import { useWiring } from "../workspace-context.tsx";

const SAID_AFTER_MS = 200;

/** The other files of a page, as they are now; other files change what is its own. */
export function usePageParts(
  projectId: string,
  file: FileHead,
  isWanted: boolean,
): UseQueryResult<PageParts> {
  const { api } = useWiring();
  return useQuery({
    queryKey: ["page-parts", projectId, file.path, file.digest],
    enabled: isWanted,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => api.pageParts(projectId, file.path, { signal }),
  });
}

/** Said where looking for parts takes its time, or did not work out. */
export function PartsState(props: {
  readonly parts: UseQueryResult<PageParts>;
}): ReactElement | null {
  const { files } = useStrings();
  const isLate = useLater(SAID_AFTER_MS);
  const { parts } = props;
  const words = parts.isError ? files.partsUnknown : files.partsLooking;
  if (!parts.isError && !(parts.isPending && isLate)) return null;
  return (
    <p role="status" className="text-13 text-muted">
      {words}
    </p>
  );
}

/** A box for the files that only a page needs, which names them, and those that stay. */
export function PartsChoice(props: {
  readonly parts: PageParts;
  readonly own: readonly string[];
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}): ReactElement | null {
  const { files } = useStrings();
  const id = useId();
  const { parts, own } = props;
  if (own.length === 0 && parts.shared.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      {own.length === 0 ? null : (
        <div className="rounded-control border border-border">
          <label
            htmlFor={id}
            className="flex cursor-pointer items-start gap-2 px-3 py-2 text-14 text-text pointer-coarse:min-h-11 pointer-coarse:items-center"
          >
            <input
              id={id}
              type="checkbox"
              checked={props.isChosen}
              onChange={(event) => props.onChoose(event.target.checked)}
              className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:mt-0"
            />
            {props.label}
          </label>
          <ul
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
            tabIndex={0}
            aria-label={files.partsList}
            className="max-h-32 overflow-y-auto border-t border-border py-1 ps-9 pe-3 text-13 text-muted"
          >
            {own.map((path) => (
              <li key={path} className="py-0.5">
                <bdi className="font-mono wrap-anywhere">{path}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {parts.shared.length === 0 ? null : <SharedParts parts={parts} />}
    </div>
  );
}

function SharedParts(props: { readonly parts: PageParts }): ReactElement {
  const { files } = useStrings();
  const { shared } = props.parts;
  return (
    <div className="text-13 text-muted">
      <p>{files.partsShared(shared.length)}</p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
        tabIndex={0}
        aria-label={files.partsShared(shared.length)}
        className="max-h-24 overflow-y-auto py-1"
      >
        {shared.map((one) => (
          <li key={one.path} className="py-0.5">
            <bdi className="font-mono wrap-anywhere text-text">{one.path}</bdi>{" "}
            <span className="wrap-anywhere">{files.partUser(one.usedBy)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
