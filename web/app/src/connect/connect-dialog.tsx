import { useQueryClient } from "@tanstack/react-query";
import type { AgentTestResult, ModelSettingsView } from "@vitrail/protocol";
import {
  Button,
  cx,
  Dialog,
  Notice,
  Skeleton,
  TextField,
  useStrings,
} from "@vitrail/react";
import { type ReactElement, useId, useState } from "react";
import { AgentIcon } from "../home/model-strip.tsx";
import { KEYS, useModelSettings, wordsOf } from "../queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useWiring } from "../workspace-context.tsx";
import {
  type ConnectFaults,
  type ConnectForm,
  faultsOf,
  formOf,
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

type Trial =
  | { readonly state: "idle" | "running" }
  | { readonly state: "done"; readonly result: AgentTestResult }
  | { readonly state: "failed"; readonly error: unknown };

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
      await queries.invalidateQueries({ queryKey: KEYS.agents });
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
          <TextField
            isCode
            label={strings.connect.program}
            placeholder={strings.connect.programPlaceholder}
            help={strings.connect.programHelp}
            fault={isTried ? faults.command : null}
            value={form.command}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => change({ command: event.target.value })}
          />
        ) : null}
        <TrialWords trial={trial} />
        {saveError === null ? null : (
          <Notice
            tone="danger"
            isLive
            code={wordsOf(saveError, strings.state.unknownError).code}
          >
            {wordsOf(saveError, strings.state.unknownError).words}
          </Notice>
        )}
      </div>
      <div className="flex items-center justify-end gap-2 border-t border-border p-3">
        {form.agent === "replay" ? null : (
          <Button className="me-auto" whyDisabled={why} onClick={() => void test()}>
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
  const listId = useId();
  const { form, faults, settings, models, onChange } = props;
  return (
    <>
      <TextField
        type="url"
        label={strings.connect.baseUrl}
        placeholder={strings.connect.baseUrlPlaceholder}
        help={strings.connect.baseUrlHelp}
        fault={faults.baseUrl}
        value={form.baseUrl}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ baseUrl: event.target.value })}
      />
      <TextField
        label={strings.connect.model}
        placeholder={strings.connect.modelPlaceholder}
        help={
          models.length > 0
            ? strings.connect.modelsFound(models.length)
            : strings.connect.modelHelp
        }
        fault={faults.model}
        value={form.model}
        list={models.length > 0 ? listId : undefined}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ model: event.target.value })}
      />
      <datalist id={listId}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <KeyField form={form} settings={settings} onChange={onChange} />
    </>
  );
}

function KeyField(props: {
  readonly form: ConnectForm;
  readonly settings: ModelSettingsView;
  readonly onChange: (part: Partial<ConnectForm>) => void;
}): ReactElement {
  const strings = useStrings();
  const { form, settings, onChange } = props;
  const hint = settings.keyHint;
  const help = form.removesKey
    ? strings.connect.keyRemoved
    : hint === null
      ? strings.connect.keyHelp
      : settings.keySource === "environment"
        ? strings.connect.keyEnvironment(hint)
        : strings.connect.keyKept(hint);
  const canRemove = settings.keySource === "settings" && !form.removesKey;
  return (
    <div className="flex flex-col items-start gap-1">
      <div className="w-full">
        <TextField
          type="password"
          label={strings.connect.key}
          placeholder={strings.connect.keyPlaceholder}
          help={help}
          value={form.apiKey}
          autoComplete="off"
          onChange={(event) =>
            onChange({ apiKey: event.target.value, removesKey: false })
          }
        />
      </div>
      {canRemove ? (
        <Button
          size="small"
          variant="quiet"
          className="-ms-2"
          onClick={() => onChange({ apiKey: "", removesKey: true })}
        >
          {strings.connect.keyRemove}
        </Button>
      ) : null}
    </div>
  );
}

function TrialWords(props: { readonly trial: Trial }): ReactElement | null {
  const strings = useStrings();
  const { trial } = props;
  switch (trial.state) {
    case "idle":
      return null;
    case "running":
      return (
        <Notice tone="info" isLive>
          {strings.connect.testingText}
        </Notice>
      );
    case "done":
      return (
        <Notice
          tone={trial.result.ok ? "success" : "danger"}
          isLive
          title={trial.result.ok ? strings.connect.testOk : strings.connect.testFailed}
          code={trial.result.code}
        >
          {trial.result.message}
        </Notice>
      );
    case "failed": {
      const { words, code } = wordsOf(trial.error, strings.state.unknownError);
      return (
        <Notice tone="danger" isLive title={strings.connect.testFailed} code={code}>
          {words}
        </Notice>
      );
    }
  }
}
