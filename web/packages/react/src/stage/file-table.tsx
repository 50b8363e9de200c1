import { Download } from "lucide-react";
import type { ReactElement } from "react";
import { DirectedText } from "../chat/directed-text.tsx";
import { KindIcon, kindName } from "../chat/kind-icon.tsx";
import { IconLink } from "../controls/button.tsx";
import { cx } from "../controls/cx.ts";
import { useStrings } from "../strings/strings.tsx";

/** One file as the list shows it. */
export interface FileRow {
  readonly path: string;
  readonly kind: string | null;
  /** Bytes; none where it was not told yet. */
  readonly size: number | null;
  /** 1-based; none where it was not told yet. */
  readonly revision: number | null;
  /** False for a file that Vitrail never wrote. */
  readonly hasHistory: boolean;
  readonly state: "complete" | "streaming" | "error" | "none";
  readonly changedAt: string;
}

const CELL = "px-3 py-1 text-start align-middle";
const WIDE_CELL = `${CELL} hidden whitespace-nowrap @md:table-cell`;
const WIDER_CELL = `${CELL} hidden whitespace-nowrap @2xl:table-cell`;

/** The project's files: name, kind, size, revision and state, each with its download. */
export function FileTable(props: {
  readonly files: readonly FileRow[];
  readonly current: string | null;
  readonly now: Date;
  readonly onOpen: (path: string) => void;
  readonly downloadUrl: (path: string) => string;
}): ReactElement {
  const strings = useStrings();
  const { files } = strings;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <div className="@container min-h-0 flex-1 overflow-auto" tabIndex={0}>
      <table className="w-full border-collapse text-13">
        <thead>
          <tr className="border-b border-border text-12 text-muted">
            <th scope="col" className={cx(CELL, "w-full font-medium")}>
              {files.name}
            </th>
            <th scope="col" className={cx(WIDE_CELL, "font-medium")}>
              {files.kind}
            </th>
            <th scope="col" className={cx(WIDE_CELL, "text-end font-medium")}>
              {files.size}
            </th>
            <th scope="col" className={cx(WIDE_CELL, "text-end font-medium")}>
              {files.revision}
            </th>
            <th scope="col" className={cx(WIDER_CELL, "font-medium")}>
              {files.state}
            </th>
            <th scope="col" className={cx(WIDER_CELL, "font-medium")}>
              {files.changed}
            </th>
            <td className={CELL} />
          </tr>
        </thead>
        <tbody>
          {props.files.map((file) => (
            <tr
              key={file.path}
              aria-current={file.path === props.current ? "true" : undefined}
              className="border-b border-border aria-[current=true]:bg-accent-soft"
            >
              <th scope="row" className={cx(CELL, "font-normal")}>
                <button
                  type="button"
                  aria-label={files.open(file.path)}
                  onClick={() => props.onOpen(file.path)}
                  className="flex min-h-7 max-w-full items-center gap-2 rounded-control text-start text-14 font-medium text-text hover:text-accent pointer-coarse:min-h-11"
                >
                  <span className="text-muted">
                    <KindIcon kind={file.kind} />
                  </span>
                  <DirectedText text={file.path} className="min-w-0 break-all" />
                </button>
              </th>
              <td className={cx(WIDE_CELL, "text-muted")}>
                {kindName(strings, file.kind)}
              </td>
              <td className={cx(WIDE_CELL, "text-end text-muted tabular-nums")}>
                {file.size === null ? null : strings.format.bytes(file.size)}
              </td>
              <td className={cx(WIDE_CELL, "text-end text-muted tabular-nums")}>
                {file.hasHistory
                  ? file.revision === null
                    ? null
                    : strings.format.number(file.revision)
                  : files.outside}
              </td>
              <td className={cx(WIDER_CELL, "text-muted")}>{files.states[file.state]}</td>
              <td className={cx(WIDER_CELL, "text-muted tabular-nums")}>
                {strings.format.time(file.changedAt, props.now)}
              </td>
              <td className={cx(CELL, "text-end")}>
                <IconLink
                  size="small"
                  href={props.downloadUrl(file.path)}
                  download
                  label={files.download(file.path)}
                  icon={<Download size={16} aria-hidden />}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
