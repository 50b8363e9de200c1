import { Button, Notice, TextField, useStrings } from "@vitrail/react";
import { type ReactElement, useId } from "react";
import { wordsOf } from "../queries.ts";

/** The address of a server. */
export function AddressField(props: {
  readonly value: string;
  readonly placeholder: string;
  readonly help?: string | undefined;
  readonly fault: string | null | undefined;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <TextField
      type="url"
      dir="ltr"
      label={strings.connect.baseUrl}
      placeholder={props.placeholder}
      help={props.help}
      fault={props.fault}
      value={props.value}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

/** The name of a model, with those that the server lists to choose from. */
export function ModelField(props: {
  readonly value: string;
  readonly placeholder: string;
  readonly models: readonly string[];
  readonly help?: string | undefined;
  readonly fault: string | null | undefined;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const strings = useStrings();
  const listId = useId();
  const { models } = props;
  return (
    <>
      <TextField
        dir="ltr"
        label={strings.connect.model}
        placeholder={props.placeholder}
        help={
          models.length > 0
            ? strings.connect.modelsFound(models.length)
            : (props.help ?? strings.connect.modelHelp)
        }
        fault={props.fault}
        value={props.value}
        list={models.length > 0 ? listId : undefined}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => props.onChange(event.target.value)}
      />
      <datalist id={listId}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  );
}

/** A key: typed, never shown again; one that is saved can be taken away. */
export function KeyField(props: {
  readonly value: string;
  readonly placeholder: string;
  readonly help: string;
  readonly canRemove: boolean;
  readonly onChange: (value: string) => void;
  readonly onRemove: () => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <div className="flex flex-col items-start gap-1">
      <div className="w-full">
        <TextField
          type="password"
          dir="ltr"
          label={strings.connect.key}
          placeholder={props.placeholder}
          help={props.help}
          value={props.value}
          autoComplete="off"
          onChange={(event) => props.onChange(event.target.value)}
        />
      </div>
      {props.canRemove ? (
        <Button size="small" variant="quiet" className="-ms-2" onClick={props.onRemove}>
          {strings.connect.keyRemove}
        </Button>
      ) : null}
    </div>
  );
}

/** A program and its arguments as one line. */
export function ProgramField(props: {
  readonly value: string;
  readonly fault: string | null | undefined;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <TextField
      isCode
      dir="ltr"
      label={strings.connect.program}
      placeholder={strings.connect.programPlaceholder}
      help={strings.connect.programHelp}
      fault={props.fault}
      value={props.value}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

/** What a try came to, as far as it is told. */
export interface TrialResult {
  readonly ok: boolean;
  readonly code: string | null;
  readonly message: string;
  readonly models: readonly string[];
}

/** How a try of a model stands. */
export type Trial<R extends TrialResult = TrialResult> =
  | { readonly state: "idle" | "running" }
  | { readonly state: "done"; readonly result: R }
  | { readonly state: "failed"; readonly error: unknown };

/** How a try of a model went, read aloud. */
export function TrialWords(props: {
  readonly trial: Trial;
  /** What it came to in a few words; none: that it answers, or not. */
  readonly title?: string | undefined;
}): ReactElement | null {
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
    case "done": {
      const { ok, code, message } = trial.result;
      const title = ok ? strings.connect.testOk : strings.connect.testFailed;
      return (
        <Notice
          tone={ok ? "success" : "danger"}
          isLive
          title={props.title ?? title}
          code={code}
        >
          {message}
        </Notice>
      );
    }
    case "failed":
      return <FailureNotice title={strings.connect.testFailed} error={trial.error} />;
  }
}

/** What failed between here and the server, in its words. */
export function FailureNotice(props: {
  readonly error: unknown;
  readonly title?: string;
}): ReactElement {
  const strings = useStrings();
  const { words, code } = wordsOf(props.error, strings.state.unknownError);
  return (
    <Notice
      tone="danger"
      isLive
      code={code}
      {...(props.title === undefined ? {} : { title: props.title })}
    >
      {words}
    </Notice>
  );
}
