import { useQueryClient } from "@tanstack/react-query";
import type { ModelSettingsView } from "@vitrail/protocol";
import { Button, cx, Dialog, Notice, Skeleton, useStrings } from "@vitrail/react";
import { type ReactElement, useId, useState } from "react";
import { AgentIcon } from "../home/model-strip.tsx";
import { KEYS, useModelSettings, useProviderTitle, wordsOf } from "../queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { navigate } from "../routes.ts";
import { closeSurface } from "../surfaces.ts";
import { useWiring } from "../workspace-context.tsx";
import {
  AddressField,
  FailureNotice,
  KeyField,
  ModelField,
  ProgramField,
  type Trial,
  TrialWords,
} from "./fields.tsx";
import {
  type ConnectFaults,
  type ConnectForm,
  faultsOf,
  formOf,
  isQuick,
  settingsOf,
  testOf,
} from "./form.ts";

/** Who answers: recordings, a model over HTTP, or a program; tried before it is saved. */
export function ConnectDialog(props: { readonly onClose: () => void }): ReactElement {
  const strings = useStrings();
  const settings = useModelSettings();
  return (
    <Dialog title={strings.connect.title} onClose={props.onClose} className="max-w-140">
      {settings.data !== undefined ? (
        <ConnectBody settings={settings.data} onClose={props.onClose} />
      ) : settings.isError ? (
        <div className="p-4">
          <Notice
            tone="danger"
            isLive
            actions={
              <Button onClick={() => void settings.refetch()}>
                {strings.action.retry}
              </Button>
            }
          >
            {wordsOf(settings.error, strings.state.unknownError).words}
          </Notice>
        </div>
      ) : (
        <Skeleton lines={6} className="p-4" />
      )}
    </Dialog>
  );
}

function ConnectBody(props: {
  readonly settings: ModelSettingsView;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const queries = useQueryClient();
  const [form, setForm] = useState(() => formOf(props.settings));
  const [isTried, setTried] = useState(false);
  const [trial, setTrial] = useState<Trial>({ state: "idle" });
  const [saving, setSaving] = useState<{ readonly error: unknown } | "running" | null>(
    null,
  );
  const faults = faultsOf(form, strings);
  const why = useWhyReadOnly();
  const isWhole = Object.keys(faults).length === 0;

  const change = (part: Partial<ConnectForm>): void => {
    setForm((before) => ({ ...before, ...part }));
    setTrial({ state: "idle" });
  };
  const test = async (): Promise<void> => {
    setTried(true);
    const body = testOf(form);
    if (!isWhole || body === null || trial.state === "running") return;
    setTrial({ state: "running" });
    try {
      setTrial({ state: "done", result: await api.testAgent(body) });
    } catch (error) {
      setTrial({ state: "failed", error });
    }
  };
  const save = async (): Promise<void> => {
    setTried(true);
    if (!isWhole || saving === "running" || why !== null) return;
    setSaving("running");
    try {
      const view = await api.saveModelSettings(settingsOf(form));
      queries.setQueryData(KEYS.settings, view);
      await Promise.all([
        queries.invalidateQueries({ queryKey: KEYS.agents }),
        queries.invalidateQueries({ queryKey: KEYS.providers }),
      ]);
      props.onClose();
    } catch (error) {
      setSaving({ error });
    }
  };
  const saveError = saving === null || saving === "running" ? null : saving.error;
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        <OtherProvider agent={props.settings.agent} />
        <AgentChoice value={form.agent} onChange={(agent) => change({ agent })} />
        {form.agent === "openai" ? (
          <OpenAiFields
            form={form}
            faults={isTried ? faults : {}}
            settings={props.settings}
            models={trial.state === "done" ? trial.result.models : []}
            onChange={change}
          />
        ) : null}
        {form.agent === "command" ? (
          <ProgramField
            fault={isTried ? faults.command : null}
            value={form.command}
            onChange={(command) => change({ command })}
          />
        ) : null}
        <TrialWords trial={trial} />
        {saveError === null ? null : <FailureNotice error={saveError} />}
      </div>
      <div className="flex items-center justify-end gap-2 border-t border-border p-3">
        <Button variant="quiet" className="me-auto" onClick={goToModels}>
          {strings.models.all}
        </Button>
        {form.agent === "replay" ? null : (
          <Button whyDisabled={why} onClick={() => void test()}>
            {trial.state === "running" ? strings.connect.testing : strings.connect.test}
          </Button>
        )}
        <Button variant="quiet" onClick={props.onClose}>
          {strings.action.cancel}
        </Button>
        <Button type="submit" variant="primary" whyDisabled={why}>
          {saving === "running" ? strings.connect.saving : strings.action.save}
        </Button>
      </div>
    </form>
  );
}

function goToModels(): void {
  closeSurface();
  navigate({ view: "models" });
}

/** Said where a provider answers that is set up on the page of all providers. */
function OtherProvider(props: {
  readonly agent: ModelSettingsView["agent"];
}): ReactElement | null {
  const strings = useStrings();
  const title = useProviderTitle(props.agent);
  if (isQuick(props.agent)) return null;
  return <Notice tone="info">{strings.connect.otherAnswers(title)}</Notice>;
}

function AgentChoice(props: {
  readonly value: ConnectForm["agent"];
  readonly onChange: (agent: ConnectForm["agent"]) => void;
}): ReactElement {
  const strings = useStrings();
  const name = useId();
  const choices = [
    { agent: "openai", title: strings.connect.openai, text: strings.connect.openaiText },
    {
      agent: "command",
      title: strings.connect.command,
      text: strings.connect.commandText,
    },
    { agent: "replay", title: strings.connect.replay, text: strings.connect.replayText },
  ] as const;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 text-13 font-medium">{strings.connect.agent}</legend>
      {choices.map((choice) => (
        <label
          key={choice.agent}
          className={cx(
            "flex cursor-pointer items-start gap-3 rounded-control border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus",
            props.value === choice.agent
              ? "border-accent bg-accent-soft"
              : "border-border-strong hover:bg-hover",
          )}
        >
          <input
            type="radio"
            name={name}
            value={choice.agent}
            checked={props.value === choice.agent}
            onChange={() => props.onChange(choice.agent)}
            className="mt-1 size-4 shrink-0 accent-accent focus-visible:outline-none"
          />
          <span className="min-w-0">
            <span className="flex items-center gap-2 text-14 font-medium">
              <AgentIcon agent={choice.agent} />
              {choice.title}
            </span>
            <span className="block text-13 text-muted">{choice.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function OpenAiFields(props: {
  readonly form: ConnectForm;
  readonly faults: ConnectFaults;
  readonly settings: ModelSettingsView;
  readonly models: readonly string[];
  readonly onChange: (part: Partial<ConnectForm>) => void;
}): ReactElement {
  const strings = useStrings();
  const { form, faults, settings, models, onChange } = props;
  const { keyHint: hint, keySource } = settings;
  const help =
    hint === null
      ? strings.connect.keyHelp
      : keySource === "environment"
        ? strings.connect.keyEnvironment(hint)
        : strings.connect.keyKept(hint);
  return (
    <>
      <AddressField
        placeholder={strings.connect.baseUrlPlaceholder}
        help={strings.connect.baseUrlHelp}
        fault={faults.baseUrl}
        value={form.baseUrl}
        onChange={(baseUrl) => onChange({ baseUrl })}
      />
      <ModelField
        placeholder={strings.connect.modelPlaceholder}
        fault={faults.model}
        value={form.model}
        models={models}
        onChange={(model) => onChange({ model })}
      />
      <KeyField
        value={form.apiKey}
        placeholder={strings.connect.keyPlaceholder}
        help={form.removesKey ? strings.connect.keyRemoved : help}
        canRemove={keySource === "settings" && !form.removesKey}
        onChange={(apiKey) => onChange({ apiKey, removesKey: false })}
        onRemove={() => onChange({ apiKey: "", removesKey: true })}
      />
    </>
  );
}
