import type { LocalServer, ProvidersView } from "@vitrail/protocol";
import { Button, FIELD, Skeleton, useStrings } from "@vitrail/react";
import { CircleCheck, CircleDashed, RefreshCw } from "lucide-react";
import { type ReactElement, useId, useState } from "react";
import { FailureNotice } from "../connect/fields.tsx";
import { useLocalServers, useTakeProviders } from "../queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useWiring } from "../workspace-context.tsx";

/** Model servers that run beside this one, found by looking. */
export function LocalServersSection(props: {
  readonly view: ProvidersView;
}): ReactElement {
  const strings = useStrings();
  const why = useWhyReadOnly();
  const looked = useLocalServers();
  const servers = looked.data?.servers ?? null;
  return (
    <section aria-labelledby="local-servers" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="local-servers" className="text-18 font-semibold">
          {strings.models.local}
        </h2>
        <Button
          whyDisabled={why ?? (looked.isFetching ? strings.models.looking : null)}
          icon={<RefreshCw size={16} aria-hidden />}
          onClick={() => void looked.refetch()}
        >
          {strings.models.look}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {looked.isFetching
          ? strings.models.looking
          : servers?.map((server) => server.message).join(" ")}
      </p>
      {looked.isError ? <FailureNotice error={looked.error} /> : null}
      {servers === null ? (
        looked.isError ? null : (
          <Skeleton lines={2} className="rounded-card border border-border p-4" />
        )
      ) : (
        <ul className="flex flex-col divide-y divide-border rounded-card border border-border">
          {servers.map((server) => (
            <li key={server.name}>
              <LocalServerRow server={server} view={props.view} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function LocalServerRow(props: {
  readonly server: LocalServer;
  readonly view: ProvidersView;
}): ReactElement {
  const strings = useStrings();
  const { server } = props;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
      {server.isFound ? (
        <CircleCheck size={16} aria-hidden className="shrink-0 text-success" />
      ) : (
        <CircleDashed size={16} aria-hidden className="shrink-0 text-faint" />
      )}
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-14 font-medium">{server.title}</span>
          <bdi dir="ltr" className="font-mono text-12 break-all text-muted">
            {server.baseUrl}
          </bdi>
        </p>
        <p className="text-13 break-words text-muted">{server.message}</p>
      </div>
      {server.isFound && server.models.length > 0 ? (
        <UseServer {...props} />
      ) : server.isFound ? (
        <p className="text-13 text-muted">{strings.models.noModels}</p>
      ) : null}
    </div>
  );
}

/** The choice of a model, and the button that lets it answer. */
function UseServer(props: {
  readonly server: LocalServer;
  readonly view: ProvidersView;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const take = useTakeProviders();
  const why = useWhyReadOnly();
  const id = useId();
  const { server, view } = props;
  const provider = view.providers.find((one) => one.name === server.name);
  const inUse = view.default === server.name ? (provider?.model ?? "") : null;
  const [chosen, setChosen] = useState<string | null>(null);
  const [saving, setSaving] = useState<"saving" | { readonly error: unknown } | null>(
    null,
  );
  const known = server.models.find((model) => model === provider?.model);
  const model = chosen ?? known ?? server.models[0] ?? "";
  const use = async (): Promise<void> => {
    if (saving === "saving") return;
    setSaving("saving");
    const isElsewhere = provider?.baseUrl !== server.baseUrl;
    try {
      const body = { model, isDefault: true };
      await take(
        await api.saveProvider(
          server.name,
          isElsewhere ? { ...body, baseUrl: server.baseUrl } : body,
        ),
      );
      setSaving(null);
    } catch (error) {
      setSaving({ error });
    }
  };
  const isUsed = inUse === model && provider?.baseUrl === server.baseUrl;
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {strings.models.modelOf(server.title)}
      </label>
      <select
        id={id}
        value={model}
        onChange={(event) => setChosen(event.target.value)}
        className={`${FIELD} max-w-60 flex-1 basis-40 border-border-strong`}
      >
        {server.models.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Button
        whyDisabled={why ?? (isUsed ? strings.models.inUseWhy : null)}
        onClick={() => void use()}
      >
        {isUsed ? strings.models.inUse : strings.models.use(server.title)}
      </Button>
      {saving === null || saving === "saving" ? null : (
        <div className="basis-full">
          <FailureNotice error={saving.error} />
        </div>
      )}
    </>
  );
}
