import type { Lost } from "@vitrail/protocol";
import { Check, Minus, Undo2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { DirectedText } from "../chat/directed-text.tsx";
import { Button } from "../controls/button.tsx";
import { cx } from "../controls/cx.ts";
import { type Strings, useStrings } from "../strings/strings.tsx";

/** How many losses are named before the rest is counted. */
const FEW = 5;

/** Returns one loss in words. */
export function lostWords(lost: Lost, strings: Strings): string {
  const { lostNames } = strings.history;
  return lostNames[lost.what](lost.name);
}

const NOUNS = {
  section: "sections",
  slide: "slides",
  function: "functions",
  typed: "typed",
  id: "ids",
  words: "words",
} as const satisfies Readonly<Record<Lost["what"], keyof Strings["drafts"]>>;

/** Returns what would vanish as counts: `3 sections, 1 function`; empty for nothing. */
export function lostCounts(lost: readonly Lost[], strings: Strings): string {
  return (Object.keys(NOUNS) as Lost["what"][]) // the keys of a constant
    .map((what) => {
      const count = lost.filter((one) => one.what === what).length;
      return count === 0 ? "" : strings.drafts[NOUNS[what]](count);
    })
    .filter((words) => words !== "")
    .join(", ");
}

/** What a change took away, each by its name; a long list folds. */
export function LostList(props: {
  readonly title: string;
  readonly lost: readonly Lost[];
  readonly className?: string;
  /** Puts one passage back that a person typed; without it none can be. */
  readonly onPutBack?: (lost: Lost) => void;
  /** Why none can be put back now; null where it can. */
  readonly whyNot?: string | null;
  /** Whether a passage is in the file now, so that there is nothing to put back. */
  readonly isBack?: (lost: Lost) => boolean;
}): ReactElement | null {
  const strings = useStrings();
  const [isWhole, setWhole] = useState(false);
  const { lost } = props;
  if (lost.length === 0) return null;
  const rest = lost.length - FEW;
  const shown = isWhole || rest <= 1 ? lost : lost.slice(0, FEW);
  return (
    <div className={cx("flex flex-col gap-1 text-13 text-text", props.className)}>
      <p className="font-medium">{props.title}</p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {shown.map((one, place) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two sections may have one name
            key={`${one.what}-${one.name}-${place}`}
            className="flex min-w-0 items-start gap-1"
          >
            <span className="flex h-5 items-center">
              <Minus size={12} aria-hidden className="shrink-0 text-danger" />
            </span>
            <DirectedText
              text={lostWords(one, strings)}
              className="min-w-0 wrap-anywhere"
            />
            {props.onPutBack === undefined || one.what !== "typed" || !one.span ? null : (
              <PutBack
                lost={one}
                isBack={props.isBack?.(one) ?? false}
                whyNot={props.whyNot ?? null}
                onPutBack={props.onPutBack}
              />
            )}
          </li>
        ))}
        {rest <= 1 ? null : (
          <li>
            <Button
              variant="quiet"
              size="small"
              className="-my-1"
              aria-expanded={isWhole}
              onClick={() => setWhole(!isWhole)}
            >
              {isWhole ? strings.history.lostLess : strings.history.lostMore(rest)}
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** Puts one passage back; where it is back, the same button says so. */
function PutBack(props: {
  readonly lost: Lost;
  readonly isBack: boolean;
  readonly whyNot: string | null;
  readonly onPutBack: (lost: Lost) => void;
}): ReactElement {
  const { history } = useStrings();
  const { lost, isBack } = props;
  return (
    <Button
      variant="quiet"
      size="small"
      className={cx("-my-1 shrink-0", isBack ? "text-success opacity-100!" : null)}
      icon={isBack ? <Check size={16} aria-hidden /> : <Undo2 size={16} aria-hidden />}
      aria-label={isBack ? history.isBackOf(lost.name) : history.putBackOf(lost.name)}
      whyDisabled={isBack ? history.isBackWhy : props.whyNot}
      onClick={() => props.onPutBack(lost)}
    >
      {isBack ? history.isBack : history.putBack}
    </Button>
  );
}
