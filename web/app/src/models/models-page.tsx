import type { ProvidersView } from "@vitrail/protocol";
import { Button, FIELD, Notice, Skeleton, useStrings } from "@vitrail/react";
import { type ReactElement, useEffect, useId, useState } from "react";
import { AppHeader } from "../app-header.tsx";
import { FailureNotice } from "../connect/fields.tsx";
import { useProviders, useTakeProviders, wordsOf } from "../queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useWiring } from "../workspace-context.tsx";
import { LocalServersSection } from "./local-servers.tsx";
import { ProviderCard } from "./provider-card.tsx";

/** Who can answer, how each is reached, and who answers where nobody is named. */
export function ModelsPage(): ReactElement {
  const strings = useStrings();
  const providers = useProviders();
  useEffect(() => {
    document.title = strings.format.title(strings.models.title);
  }, [strings]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AppHeader title={strings.models.title} />
      <main className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-190 flex-col gap-8 px-4 py-8">
          <p className="max-w-prose text-15 text-muted">{strings.models.intro}</p>
          {providers.data !== undefined ? (
            <Providers view={providers.data} />
          ) : providers.isError ? (
            <Notice
              tone="danger"
              isLive
              code={wordsOf(providers.error, "").code}
              actions={
                <Button onClick={() => void providers.refetch()}>
                  {strings.action.retry}
                </Button>
              }
            >
              {wordsOf(providers.error, strings.state.unknownError).words}
            </Notice>
          ) : (
            <Skeleton lines={9} />
          )}
        </div>
      </main>
    </div>
  );
}

function Providers(props: { readonly view: ProvidersView }): ReactElement {
  const strings = useStrings();
  const { view } = props;
  return (
    <>
      <DefaultChoice view={view} />
      <LocalServersSection view={view} />
      <section aria-labelledby="providers" className="flex flex-col gap-3">
        <h2 id="providers" className="text-18 font-semibold">
          {strings.models.providers}
        </h2>
        <ul className="flex flex-col gap-2">
          {view.providers.map((provider) => (
            <li key={provider.name}>
              <ProviderCard
                provider={provider}
                isDefault={view.default === provider.name}
              />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const AUTOMATIC = "";

/** Who answers a message that names nobody. */
function DefaultChoice(props: { readonly view: ProvidersView }): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const take = useTakeProviders();
  const why = useWhyReadOnly();
  const id = useId();
  const [error, setError] = useState<unknown>(null);
  const { view } = props;
  const titleOf = (name: string): string =>
    view.providers.find((one) => one.name === name)?.title ?? strings.connect.replay;
  const choose = async (name: string): Promise<void> => {
    const chosen = [...view.providers.map((one) => one.name), "replay" as const].find(
      (one) => one === name,
    );
    setError(null);
    try {
      await take(await api.chooseProvider({ default: chosen ?? null }));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <section className="flex flex-col gap-2">
      <label htmlFor={id} className="text-18 font-semibold">
        {strings.models.default}
      </label>
      <select
        id={id}
        value={view.defaultIsChosen ? view.default : AUTOMATIC}
        disabled={why !== null}
        aria-describedby={`${id}-help`}
        onChange={(event) => void choose(event.target.value)}
        className={`${FIELD} max-w-100 border-border-strong disabled:opacity-60`}
      >
        <option value={AUTOMATIC}>
          {view.defaultIsChosen
            ? strings.models.automatic
            : strings.models.automaticNow(titleOf(view.default))}
        </option>
        <option value="replay">{strings.connect.replay}</option>
        {view.providers.map((provider) => (
          <option
            key={provider.name}
            value={provider.name}
            disabled={!provider.isReady && provider.name !== view.default}
          >
            {provider.isReady
              ? strings.models.named(provider.title, provider.model)
              : strings.models.notReadyOption(provider.title)}
          </option>
        ))}
      </select>
      <p id={`${id}-help`} className="text-13 text-muted">
        {why ?? strings.models.defaultHelp}
      </p>
      {error === null ? null : <FailureNotice error={error} />}
    </section>
  );
}
