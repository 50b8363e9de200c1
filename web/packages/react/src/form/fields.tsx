import type { ComponentProps, ReactElement } from "react";
import { cx } from "../controls/cx.ts";
import { FIELD } from "../controls/field.tsx";
import { useStrings } from "../strings/strings.tsx";
import { ChoiceField, type FieldProps, SelectField } from "./choices.tsx";
import type { Question } from "./schema.ts";

const DEFAULT_MAX = 100;

/** What a line field of each type tells the browser: which keyboard, which of its pickers. */
const LINES: Partial<Record<Question["type"], ComponentProps<"input">>> = {
  text: { type: "text" },
  // A number field of the browser drops what it cannot read; this one keeps it, to be told.
  number: { type: "text", inputMode: "decimal", dir: "ltr" },
  date: { type: "date" },
  time: { type: "time" },
  "datetime-local": { type: "datetime-local" },
  url: { type: "url", dir: "ltr", autoComplete: "url", spellCheck: false },
  email: { type: "email", dir: "ltr", autoComplete: "email", spellCheck: false },
  tel: { type: "tel", dir: "ltr", autoComplete: "tel" },
};

/** The field of a question, by its type. */
export function QuestionField(
  props: FieldProps & { readonly onFiles: (files: readonly File[]) => void },
): ReactElement {
  switch (props.question.type) {
    case "radio":
    case "checkbox":
    case "direction-cards":
      return <ChoiceField {...props} />;
    case "select":
      return <SelectField {...props} />;
    case "textarea":
      return <LongField {...props} />;
    case "range":
      return <RangeField {...props} />;
    case "color":
      return <ColourField {...props} />;
    case "switch":
      return <SwitchField {...props} />;
    case "file":
      return <FileField {...props} />;
    default:
      return <LineField {...props} />;
  }
}

function controlProps(props: FieldProps): {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
  readonly "aria-required": true | undefined;
} {
  return {
    id: props.id,
    "aria-describedby": props.describedBy,
    "aria-invalid": props.isInvalid ? true : undefined,
    "aria-required": props.question.isRequired ? true : undefined,
  };
}

function borderOf(props: FieldProps): string {
  return props.isInvalid ? "border-danger" : "border-border-strong";
}

const SHORT: ReadonlySet<Question["type"]> = new Set([
  "number",
  "date",
  "time",
  "datetime-local",
]);

function LineField(props: FieldProps): ReactElement {
  const { question, draft, onChange } = props;
  return (
    <input
      dir="auto"
      {...(LINES[question.type] ?? LINES.text)}
      {...controlProps(props)}
      value={draft.values[0] ?? ""}
      placeholder={question.placeholder ?? undefined}
      onChange={(event) => onChange({ values: [event.target.value] })}
      className={cx(FIELD, borderOf(props), SHORT.has(question.type) ? "max-w-60" : null)}
    />
  );
}

function LongField(props: FieldProps): ReactElement {
  const { question, draft, onChange } = props;
  return (
    <textarea
      {...controlProps(props)}
      dir="auto"
      rows={3}
      value={draft.values[0] ?? ""}
      placeholder={question.placeholder ?? undefined}
      onChange={(event) => onChange({ values: [event.target.value] })}
      className={cx(FIELD, borderOf(props), "block resize-y py-1")}
    />
  );
}

function RangeField(props: FieldProps): ReactElement {
  const { question, draft, onChange } = props;
  const value = draft.values[0] ?? "";
  return (
    <div className="flex min-h-8 items-center gap-3 pointer-coarse:min-h-11">
      <input
        {...controlProps(props)}
        type="range"
        min={question.min ?? 0}
        max={question.max ?? DEFAULT_MAX}
        step={question.step ?? undefined}
        value={value}
        onChange={(event) => onChange({ values: [event.target.value] })}
        className="min-w-0 flex-1 accent-accent"
      />
      <output htmlFor={props.id} className="min-w-8 text-end text-14 tabular-nums">
        {value}
      </output>
    </div>
  );
}

function ColourField(props: FieldProps): ReactElement {
  const { draft, onChange } = props;
  const value = draft.values[0] ?? "";
  return (
    <div className="flex items-center gap-3">
      <input
        {...controlProps(props)}
        type="color"
        value={value}
        onChange={(event) => onChange({ values: [event.target.value] })}
        className="h-8 w-12 shrink-0 rounded-control border border-border-strong bg-surface p-1 pointer-coarse:h-11"
      />
      <output htmlFor={props.id} dir="ltr" className="font-mono text-13 text-muted">
        {value}
      </output>
    </div>
  );
}

function SwitchField(props: FieldProps): ReactElement {
  const strings = useStrings();
  const { draft, onChange } = props;
  const isOn = draft.values[0] === "true";
  return (
    <span className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
      <input
        id={props.id}
        aria-describedby={props.describedBy}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onChange({ values: [String(event.target.checked)] })}
        className="size-4 shrink-0 accent-accent"
      />
      <span aria-hidden className="text-14 text-muted">
        {isOn ? strings.form.on : strings.form.off}
      </span>
    </span>
  );
}

function FileField(
  props: FieldProps & { readonly onFiles: (files: readonly File[]) => void },
): ReactElement {
  const strings = useStrings();
  const { question, onChange } = props;
  const take = (chosen: FileList | null): void => {
    const files = [...(chosen ?? [])];
    props.onFiles(files);
    onChange({ values: files.map((file) => file.name) });
  };
  return (
    <div className="flex flex-col gap-1">
      <input
        {...controlProps(props)}
        type="file"
        multiple={question.isMultiple}
        accept={question.accept ?? undefined}
        onChange={(event) => take(event.target.files)}
        className={cx(
          FIELD,
          borderOf(props),
          "py-1 file:me-2 file:cursor-pointer file:rounded-control file:border-0 file:bg-hover file:px-2 file:py-1 file:text-13 file:text-text",
        )}
      />
      <p className="text-12 text-muted">{strings.form.filesGo}</p>
    </div>
  );
}
