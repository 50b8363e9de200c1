import type {
  ProviderModels,
  ProviderSettings,
  ProvidersView,
  ProviderVerdict,
  ProviderView,
} from "@vitrail/protocol";
import { Button, cx, Notice, type Strings, useStrings } from "@vitrail/react";
import { ChevronRight } from "lucide-react";
import {
  type ReactElement,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import {
  AddressField,
  FailureNotice,
  KeyField,
  ModelField,
  ProgramField,
  type Trial,
  TrialWords,
} from "../connect/fields.tsx";
import { AgentIcon } from "../home/model-strip.tsx";
import { useTakeProviders } from "../queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useWiring } from "../workspace-context.tsx";
import {
  faultsOf,
  formOf,
  isChanged,
  keyWords,
  type ProviderFaults,
  type ProviderForm,
  settingsOf,
  tryOf,
  verdictWords,
} from "./provider-form.ts";

/** One provider: how it stands, and behind a press what it is reached with. */
export function ProviderCard(props: {
  readonly provider: ProviderView;
  readonly isDefault: boolean;
}): ReactElement {
  const strings = useStrings();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { provider } = props;
  return (
    <section
      aria-labelledby={id}
      data-provider={provider.name}
      className="rounded-card border border-border bg-raised"
    >
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-body`}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-14 w-full items-center gap-3 rounded-card px-4 py-2 text-start hover:bg-hover"
        >
          <span className="text-muted">
            <AgentIcon agent={provider.name} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2">
              <span id={id} className="text-14 font-semibold">
                {provider.title}
              </span>
              {props.isDefault ? (
                <span className="rounded-control bg-accent-soft px-2 text-12 font-medium text-text">
                  {strings.models.answers}
                </span>
              ) : null}
            </span>
            <span className="block text-13 font-normal break-words text-muted">
              {stateWords(provider, strings)}
            </span>
          </span>
          <ChevronRight
            size={16}
            aria-hidden
            className={cx(
              "shrink-0 text-muted transition-transform duration-120 ease-out",
              isOpen ? "rotate-90" : "rtl:-scale-x-100",
            )}
          />
        </button>
      </h3>
      <div id={`${id}-body`} hidden={!isOpen} className="border-t border-border">
        {isOpen ? <ProviderBody {...props} /> : null}
      </div>
    </section>
  );
}

function stateWords(provider: ProviderView, strings: Strings): string {
  if (!provider.isReady) return provider.whyNot ?? strings.models.notSetUp;
  const facts =
    provider.kind === "program"
      ? [strings.models.ready, provider.command[0] ?? ""]
      : [
          strings.models.ready,
          provider.model,
          provider.keyHint === null ? "" : strings.models.keyEnds(provider.keyHint),
        ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

type Saving = "saving" | "saved" | "forgotten" | { readonly error: unknown } | null;

/** What is typed, tried, saved and forgotten of a provider. */
interface Editing {
  readonly form: ProviderForm;
  readonly faults: ProviderFaults;
  readonly trial: Trial<ProviderVerdict>;
  readonly listed: Trial<ProviderModels>;
  readonly saving: Saving;
  readonly change: (part: Partial<ProviderForm>) => void;
  readonly test: () => Promise<void>;
  readonly list: () => Promise<void>;
  readonly save: (more?: ProviderSettings) => Promise<void>;
  readonly forget: () => Promise<void>;
}

function useEditing(provider: ProviderView): Editing {
  const strings = useStrings();
  const { api } = useWiring();
  const take = useTakeProviders();
  const [form, setForm] = useState(() => formOf(provider));
  const [isTried, setTried] = useState(false);
  const [trial, setTrial] = useState<Trial<ProviderVerdict>>({ state: "idle" });
  const [listed, setListed] = useState<Trial<ProviderModels>>({ state: "idle" });
  const [saving, setSaving] = useState<Saving>(null);
  const faults = faultsOf(form, provider, strings);
  const { name } = provider;

  const isWhole = (): boolean => {
    setTried(true);
    return Object.keys(faults).length === 0;
  };
  const put = async (
    call: () => Promise<ProvidersView>,
    done: "saved" | "forgotten",
  ): Promise<void> => {
    if (saving === "saving") return;
    setSaving("saving");
    try {
      const view = await call();
      const now = view.providers.find((one) => one.name === name);
      if (now !== undefined) setForm(formOf(now));
      setTried(false);
      await take(view);
      setSaving(done);
    } catch (error) {
      setSaving({ error });
    }
  };
  return {
    form,
    faults: isTried ? faults : {},
    trial,
    listed,
    saving,
    change: (part) => {
      setForm((before) => ({ ...before, ...part }));
      setTrial({ state: "idle" });
      if (saving !== "saving") setSaving(null);
    },
    test: async () => {
      if (trial.state === "running" || !isWhole()) return;
      setTrial({ state: "running" });
      try {
        const result = await api.testProvider(name, tryOf(form, provider));
        setTrial({ state: "done", result });
      } catch (error) {
        setTrial({ state: "failed", error });
      }
    },
    list: async () => {
      if (listed.state === "running" || !isWhole()) return;
      setListed({ state: "running" });
      try {
        const result = await api.providerModels(name, tryOf(form, provider));
        setListed({ state: "done", result });
      } catch (error) {
        setListed({ state: "failed", error });
      }
    },
    save: async (more = {}) => {
      if (!isWhole()) return;
      const body = { ...settingsOf(form, provider), ...more };
      await put(() => api.saveProvider(name, body), "saved");
    },
    forget: async () => {
      setTrial({ state: "idle" });
      setListed({ state: "idle" });
      await put(() => api.forgetProvider(name), "forgotten");
    },
  };
}

function modelsOf(editing: Editing): readonly string[] {
  const { trial, listed } = editing;
  if (listed.state === "done" && listed.result.models.length > 0) {
    return listed.result.models;
  }
  return trial.state === "done" ? trial.result.models : [];
}

function ProviderBody(props: {
  readonly provider: ProviderView;
  readonly isDefault: boolean;
}): ReactElement {
  const strings = useStrings();
  const why = useWhyReadOnly();
  const { provider, isDefault } = props;
  const editing = useEditing(provider);
  const { trial, saving } = editing;
  const hasChanged = isChanged(editing.form, provider);
  const verdict =
    trial.state === "done" ? verdictWords(trial.result, strings) : undefined;
  return (
    <form
      noValidate
      className="flex flex-col gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === null && hasChanged) void editing.save();
      }}
    >
      {provider.kind === "program" ? (
        <ProgramField
          fault={editing.faults.command}
          value={editing.form.command}
          onChange={(command) => editing.change({ command })}
        />
      ) : (
        <ServerFields provider={provider} editing={editing} why={why} />
      )}
      <TrialWords trial={trial} title={verdict} />
      <SavingWords saving={saving} />
      <div className="flex flex-wrap items-center gap-2">
        <Button whyDisabled={why} onClick={() => void editing.test()}>
          {trial.state === "running" ? strings.connect.testing : strings.connect.test}
        </Button>
        <Button
          type="submit"
          whyDisabled={why ?? (hasChanged ? null : strings.models.nothingToSave)}
        >
          {saving === "saving" ? strings.connect.saving : strings.action.save}
        </Button>
        {isDefault ? null : (
          <Button
            whyDisabled={why ?? (provider.isReady || hasChanged ? null : provider.whyNot)}
            onClick={() => void editing.save({ isDefault: true })}
          >
            {hasChanged ? strings.models.saveAndUse : strings.models.makeDefault}
          </Button>
        )}
        <Forget provider={provider} why={why} onForget={() => void editing.forget()} />
      </div>
    </form>
  );
}

function ServerFields(props: {
  readonly provider: ProviderView;
  readonly editing: Editing;
  readonly why: string | null;
}): ReactElement {
  const strings = useStrings();
  const { provider, editing } = props;
  const { form, faults, change, listed } = editing;
  const models = modelsOf(editing);
  const isFromOutside = provider.baseUrlSource === "environment";
  return (
    <>
      <AddressField
        placeholder={
          (isFromOutside ? provider.baseUrl : provider.builtInBaseUrl) ??
          strings.connect.baseUrlPlaceholder
        }
        help={isFromOutside ? strings.models.fromEnvironment : strings.models.addressHelp}
        fault={faults.baseUrl}
        value={form.baseUrl}
        onChange={(baseUrl) => change({ baseUrl })}
      />
      <div className="flex flex-col items-start gap-1">
        <div className="w-full">
          <ModelField
            placeholder={
              provider.modelSource === "environment"
                ? provider.model
                : strings.models.modelPlaceholder
            }
            help={
              provider.modelSource === "environment"
                ? strings.models.fromEnvironment
                : undefined
            }
            fault={null}
            value={form.model}
            models={models}
            onChange={(model) => change({ model })}
          />
        </div>
        <Button size="small" whyDisabled={props.why} onClick={() => void editing.list()}>
          {listed.state === "running" ? strings.models.listing : strings.models.list}
        </Button>
        <ListWords listed={listed} />
      </div>
      <KeyField
        value={form.apiKey}
        placeholder={
          provider.wantsKey ? strings.models.keyType : strings.connect.keyPlaceholder
        }
        help={keyWords(form, provider, strings)}
        canRemove={
          !form.removesKey &&
          (provider.keySource === "settings" || provider.keyOrigin !== null)
        }
        onChange={(apiKey) => change({ apiKey, removesKey: false })}
        onRemove={() => change({ apiKey: "", removesKey: true })}
      />
    </>
  );
}

/** What asking for the models came to; those that came are in the field's own list. */
function ListWords(props: {
  readonly listed: Trial<ProviderModels>;
}): ReactElement | null {
  const { listed } = props;
  switch (listed.state) {
    case "done":
      return listed.result.ok ? (
        <p role="status" className="text-13 text-muted">
          {listed.result.message}
        </p>
      ) : (
        <Notice tone="danger" isLive code={listed.result.code} className="w-full">
          {listed.result.message}
        </Notice>
      );
    case "failed":
      return <FailureNotice error={listed.error} />;
    default:
      return null;
  }
}

function SavingWords(props: { readonly saving: Saving }): ReactElement | null {
  const strings = useStrings();
  const { saving } = props;
  if (saving === null || saving === "saving") return null;
  if (saving === "saved" || saving === "forgotten") {
    return (
      <Notice tone="success" isLive>
        {saving === "saved" ? strings.connect.saved : strings.models.forgotten}
      </Notice>
    );
  }
  return <FailureNotice error={saving.error} />;
}

function hasOwn(provider: ProviderView): boolean {
  return (
    provider.baseUrlSource === "settings" ||
    provider.modelSource === "settings" ||
    provider.keySource === "settings" ||
    provider.keyOrigin !== null ||
    provider.command.length > 0
  );
}

/** Forgets a provider: a key cannot be given back, so what goes is named first. */
function Forget(props: {
  readonly provider: ProviderView;
  readonly why: string | null;
  readonly onForget: () => void;
}): ReactElement | null {
  const strings = useStrings();
  const [isAsking, setAsking] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  useFocusAfter(isAsking, first);
  const { provider } = props;
  if (!hasOwn(provider)) return null;
  if (!isAsking) {
    return (
      <Button
        ref={first}
        variant="quiet"
        className="ms-auto"
        whyDisabled={props.why}
        onClick={() => setAsking(true)}
      >
        {strings.models.forget}
      </Button>
    );
  }
  return (
    <fieldset
      className="flex basis-full flex-wrap items-center gap-2 rounded-control bg-danger-soft px-3 py-2"
      onKeyDown={(event) => {
        if (event.key === "Escape") setAsking(false);
      }}
    >
      <legend className="sr-only">{strings.models.forget}</legend>
      <p className="min-w-0 flex-1 basis-60 text-14">
        {strings.models.forgetText(provider.title)}
      </p>
      <Button ref={first} onClick={() => setAsking(false)}>
        {strings.action.cancel}
      </Button>
      <Button
        variant="danger"
        whyDisabled={props.why}
        onClick={() => {
          setAsking(false);
          props.onForget();
        }}
      >
        {strings.models.forgetOf(provider.title)}
      </Button>
    </fieldset>
  );
}

/** Puts the focus on `target` each time `flag` has changed. */
function useFocusAfter(flag: boolean, target: RefObject<HTMLElement | null>): void {
  const last = useRef(flag);
  useEffect(() => {
    if (last.current !== flag) target.current?.focus();
    last.current = flag;
  }, [flag, target]);
}
