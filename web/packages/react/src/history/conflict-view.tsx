import { Check } from "lucide-react";
import { type ReactElement, type ReactNode, useId, useMemo, useState } from "react";
import { Button } from "../controls/button.tsx";
import { cx } from "../controls/cx.ts";
import { Notice } from "../controls/notice.tsx";
import { TextEditor } from "../stage/text-editor.tsx";
import { useStrings } from "../strings/strings.tsx";
import {
  joined,
  linesOf,
  proposed,
  type RangeChoice,
  rangesOf,
  type TextRange,
  undecided,
} from "./ranges.ts";

/** How much of a stretch that both sides have is shown at its ends. */
const CONTEXT_LINES = 2;
/** A side of a range that is longer folds. */
const MAX_LINES = 40;

/**
 * Two texts of one file and the ranges in which they differ: each side can be
 * taken, both, or the result be written by hand. Whatever is chosen, neither
 * text is touched before the result is saved.
 */
export function ConflictView(props: {
  readonly path: string;
  /** What both began from; none where that is not known. */
  readonly base: string | null;
  readonly mine: string;
  readonly theirs: string;
  /** What is said about how it came to this. */
  readonly text: string;
  /** What the other side is called. */
  readonly theirsName: string;
  /** Takes what the person writes by hand as the person's text. */
  readonly onMine: (text: string) => void;
  readonly onSave: (text: string) => void;
  readonly whyNotSave: string | null;
  /** How the last try to save went, where it failed. */
  readonly failure?: ReactNode;
  /** Further buttons, such as the one that lets the person's text go. */
  readonly actions?: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const { base, mine, theirs } = props;
  const ranges = useMemo(() => rangesOf(base, mine, theirs), [base, mine, theirs]);
  const first = useMemo(() => proposed(ranges), [ranges]);
  const [made, setMade] = useState({ ranges, choices: first });
  const choices = made.ranges === ranges ? made.choices : first;
  const [isByHand, setByHand] = useState(false);
  const open = isByHand ? 0 : undecided(ranges, choices);
  const choose = (next: readonly RangeChoice[]): void =>
    setMade({ ranges, choices: next });
  const byHand = (): void => {
    if (!isByHand) props.onMine(joined(ranges, choices));
    setByHand(!isByHand);
  };
  const differing = ranges.filter((one) => one.range === "differs").length;
  return (
    <section
      aria-label={strings.conflict.title(props.path)}
      className="@container flex min-h-0 flex-1 flex-col"
    >
      <header className="flex shrink-0 flex-col gap-2 border-b border-border px-4 py-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 className="min-w-0 text-15 font-semibold wrap-anywhere">
            {strings.conflict.title(props.path)}
          </h2>
          <p role="status" className="text-13 text-muted tabular-nums">
            {isByHand
              ? strings.conflict.result
              : `${strings.conflict.ranges(differing)} · ${strings.conflict.left(open)}`}
          </p>
        </div>
        <p className="max-w-prose text-13 text-muted">
          {props.text} {base === null ? strings.conflict.baseGone : null}
        </p>
        {props.failure}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            whyDisabled={
              props.whyNotSave ?? (open > 0 ? strings.conflict.undecidedWhy(open) : null)
            }
            onClick={() => props.onSave(isByHand ? mine : joined(ranges, choices))}
          >
            {strings.conflict.save}
          </Button>
          <Button onClick={byHand}>
            {isByHand ? strings.conflict.editBack : strings.conflict.edit}
          </Button>
          {isByHand ? null : (
            <>
              <Button variant="quiet" onClick={() => choose(ranges.map(() => "mine"))}>
                {strings.conflict.allMine}
              </Button>
              <Button variant="quiet" onClick={() => choose(ranges.map(() => "theirs"))}>
                {strings.conflict.allTheirs}
              </Button>
            </>
          )}
          {props.actions}
        </div>
      </header>
      {isByHand ? (
        <TextEditor path={props.path} text={mine} onChange={props.onMine} isFocused />
      ) : (
        <Ranges
          ranges={ranges}
          choices={choices}
          theirsName={props.theirsName}
          onChoose={(place, choice) => choose(choices.with(place, choice))}
        />
      )}
    </section>
  );
}

/** Returns the number of each range among those that differ; 0 for the others. */
function numbersOf(ranges: readonly TextRange[]): readonly number[] {
  let differing = 0;
  return ranges.map((one) => {
    if (one.range === "same") return 0;
    differing += 1;
    return differing;
  });
}

function Ranges(props: {
  readonly ranges: readonly TextRange[];
  readonly choices: readonly RangeChoice[];
  readonly theirsName: string;
  readonly onChoose: (place: number, choice: RangeChoice) => void;
}): ReactElement {
  const strings = useStrings();
  const { ranges } = props;
  const numbers = useMemo(() => numbersOf(ranges), [ranges]);
  const all = Math.max(0, ...numbers.slice(-2));
  if (ranges.length === 0) {
    return <p className="p-4 text-14 text-muted">{strings.conflict.empty}</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <div tabIndex={0} className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto p-2">
      {ranges.map((one, place) =>
        one.range === "same" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the ranges of two fixed texts
          <SameRange key={place} text={one.text} />
        ) : (
          <DiffersRange
            // biome-ignore lint/suspicious/noArrayIndexKey: the ranges of two fixed texts
            key={place}
            range={one}
            label={strings.conflict.range(numbers[place] ?? 0, all)}
            choice={props.choices[place] ?? null}
            theirsName={props.theirsName}
            onChoose={(choice) => props.onChoose(place, choice)}
          />
        ),
      )}
    </div>
  );
}

const CODE = "code-line px-3 wrap-anywhere whitespace-pre-wrap";

/** What both have: its ends, and how much lies between. */
function SameRange(props: { readonly text: string }): ReactElement {
  const strings = useStrings();
  const lines = useMemo(() => linesOf(props.text), [props.text]);
  const folded = lines.length - 2 * CONTEXT_LINES;
  if (folded <= 1) {
    return (
      <pre dir="ltr" className={cx(CODE, "shrink-0 text-muted")}>
        {props.text}
      </pre>
    );
  }
  return (
    <div className="shrink-0">
      <pre dir="ltr" className={cx(CODE, "text-muted")}>
        {lines.slice(0, CONTEXT_LINES).join("")}
      </pre>
      <p className="my-1 bg-sunken px-3 py-1 text-12 text-muted">
        {strings.conflict.folded(folded)}
      </p>
      <pre dir="ltr" className={cx(CODE, "text-muted")}>
        {lines.slice(-CONTEXT_LINES).join("")}
      </pre>
    </div>
  );
}

type Differing = Extract<TextRange, { readonly range: "differs" }>;

function DiffersRange(props: {
  readonly range: Differing;
  readonly label: string;
  readonly choice: RangeChoice;
  readonly theirsName: string;
  readonly onChoose: (choice: RangeChoice) => void;
}): ReactElement {
  const strings = useStrings();
  const { range, choice } = props;
  const by = {
    mine: strings.conflict.onlyMine,
    theirs: strings.conflict.onlyTheirs,
    both: strings.conflict.byBoth,
  }[range.changedBy];
  const name = useId();
  const radio = { name, choice, onChoose: props.onChoose };
  return (
    <fieldset
      className={cx(
        "shrink-0 rounded-card border",
        choice === null ? "border-warning" : "border-border",
      )}
    >
      <legend className="sr-only">{props.label}</legend>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-border px-3 py-1 text-12 text-muted">
        <span aria-hidden className="font-medium text-text">
          {props.label}
        </span>
        <span>{by}</span>
        <ChoiceRadio {...radio} value="both" words={strings.conflict.both} />
      </div>
      <div className="grid @xl:grid-cols-2">
        <RangeSide
          {...radio}
          value="mine"
          words={strings.conflict.mine}
          text={range.mine}
        />
        <RangeSide
          {...radio}
          value="theirs"
          words={props.theirsName}
          text={range.theirs}
          className="border-t border-border @xl:border-s @xl:border-t-0"
        />
      </div>
    </fieldset>
  );
}

interface Radio {
  readonly name: string;
  readonly value: Exclude<RangeChoice, null>;
  readonly choice: RangeChoice;
  readonly words: string;
  readonly onChoose: (choice: RangeChoice) => void;
}

function ChoiceRadio(props: Radio): ReactElement {
  const strings = useStrings();
  const isTaken = props.choice === props.value;
  return (
    <label
      className={cx(
        "flex min-h-7 cursor-pointer items-center gap-2 rounded-control px-2 text-13 font-medium pointer-coarse:min-h-11",
        isTaken ? "bg-accent-soft text-accent" : "text-text hover:bg-hover",
      )}
    >
      <input
        type="radio"
        name={props.name}
        aria-label={strings.conflict.take(props.words)}
        checked={isTaken}
        onChange={() => props.onChoose(props.value)}
        className="accent-current"
      />
      {props.words}
      {isTaken ? <Check size={14} aria-hidden /> : null}
    </label>
  );
}

function RangeSide(
  props: Radio & { readonly text: string; readonly className?: string },
): ReactElement {
  const strings = useStrings();
  const { text, className, ...radio } = props;
  const isTaken = props.choice === props.value || props.choice === "both";
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => linesOf(text), [text]);
  const rest = isWhole ? 0 : lines.length - MAX_LINES;
  return (
    <div className={cx("flex min-w-0 flex-col", className)}>
      <div className="px-1 pt-1">
        <ChoiceRadio {...radio} />
      </div>
      <div
        className={cx(
          "m-1 flex-1 rounded-control py-1",
          isTaken ? "bg-accent-soft" : "bg-sunken",
        )}
      >
        {text === "" ? (
          <p className="px-3 text-13 text-muted">{strings.conflict.empty}</p>
        ) : (
          <pre dir="ltr" className={cx(CODE, "text-text")}>
            {rest > 1 ? lines.slice(0, MAX_LINES).join("") : text}
          </pre>
        )}
        {rest > 1 ? (
          <Button variant="quiet" size="small" onClick={() => setWhole(true)}>
            {strings.history.lostMore(rest)}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** What stands over a view while its text is another one than the person's. */
export function ConflictNotice(props: {
  readonly title: string;
  readonly text: string;
  readonly actions: ReactNode;
}): ReactElement {
  return (
    <Notice
      tone="warning"
      isLive
      className="shrink-0 rounded-none border-b border-border"
      title={props.title}
      actions={props.actions}
    >
      {props.text}
    </Notice>
  );
}
