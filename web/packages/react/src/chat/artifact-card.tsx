import type { ArtifactPart, HeldFile } from "@vitrail/protocol";
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Download,
  SquareArrowOutUpRight,
  TriangleAlert,
} from "lucide-react";
import { memo, type ReactElement, type ReactNode } from "react";
import { Button, LinkButton } from "../controls/button.tsx";
import { CopyTextButton } from "../controls/copy-button.tsx";
import { cx } from "../controls/cx.ts";
import { ToneIcon } from "../controls/notice.tsx";
import { type Strings, useStrings } from "../strings/strings.tsx";
import { type CardState, cardStateOf, cardWords } from "./card-state.ts";
import { DiagnosticsList } from "./diagnostics-list.tsx";
import { DirectedText } from "./directed-text.tsx";
import { lastLines, useLineCount } from "./growing.ts";
import { KindIcon, kindName, kindOfType } from "./kind-icon.tsx";

const TAIL_LINES = 3;

/** What the card's buttons do; the card itself knows no project. */
export interface CardActions {
  readonly onOpen: (path: string) => void;
  readonly onSource: (path: string) => void;
  readonly downloadUrl: (path: string) => string;
  /** What can be done about an artifact whose end is missing, or nothing. */
  readonly goOn?: ((part: ArtifactPart) => ReactNode) | undefined;
  /** The way to where a version that was kept aside is decided about, or nothing. */
  readonly decide?: ((held: HeldFile) => ReactNode) | undefined;
}

function StateIcon(props: { readonly state: CardState }): ReactElement {
  switch (props.state) {
    case "streaming":
    case "checking":
      return <CircleDashed size={16} aria-hidden className="shrink-0 text-accent" />;
    case "pointer":
      return (
        <SquareArrowOutUpRight size={16} aria-hidden className="shrink-0 text-info" />
      );
    case "saved":
      return <CircleCheck size={16} aria-hidden className="shrink-0 text-success" />;
    case "saved-cut":
    case "cut":
    case "quarantined":
      return <TriangleAlert size={16} aria-hidden className="shrink-0 text-warning" />;
    case "refused":
      return <CircleAlert size={16} aria-hidden className="shrink-0 text-danger" />;
  }
}

/**
 * One artifact of a message: it grows while it streams and then says what
 * became of it. The part below its head keeps one height in every state, so
 * that nothing under the card moves.
 */
export const ArtifactCard = memo(function ArtifactCard(props: {
  readonly part: ArtifactPart;
  readonly actions: CardActions;
}): ReactElement {
  const strings = useStrings();
  const { part } = props;
  const lines = useLineCount(part.text);
  const state = cardStateOf(part);
  const title = part.title === "" ? part.identifier || strings.card.untitled : part.title;
  const kind = part.saved?.kind ?? kindOfType(part.artifactType);
  return (
    <article
      aria-label={strings.card.label(title)}
      data-state={state}
      className="max-w-prose overflow-hidden rounded-card border border-border bg-raised"
    >
      <header className="flex items-start gap-3 px-3 pt-3 pb-2">
        <span className="flex size-8 shrink-0 items-center justify-center rounded-control bg-sunken text-muted">
          <KindIcon kind={kind} />
        </span>
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 text-14 font-semibold break-words" title={title}>
            <DirectedText text={title} />
          </p>
          <p className="flex items-start gap-1 text-13 text-muted">
            <span className="flex h-5 items-center">
              <StateIcon state={state} />
            </span>
            <span className="min-w-0 break-words tabular-nums">
              {cardWords(part, lines, strings)}
            </span>
          </p>
        </div>
      </header>
      {state === "streaming" || state === "checking" ? (
        <CardTail text={part.text} />
      ) : (
        <CardFoot
          part={part}
          actions={props.actions}
          facts={factsOf(kind, lines, strings)}
        />
      )}
      <CardNotes
        part={part}
        state={state}
        goOn={props.actions.goOn?.(part)}
        decide={part.held === null ? null : props.actions.decide?.(part.held)}
      />
    </article>
  );
});

function factsOf(kind: string | null, lines: number, strings: Strings): string {
  return [kindName(strings, kind), strings.format.lines(lines)].join(" · ");
}

function CardTail(props: { readonly text: string }): ReactElement {
  const strings = useStrings();
  return (
    <pre
      role="img"
      aria-label={strings.card.body}
      dir="ltr"
      className="mx-3 mb-3 flex h-14 flex-col justify-end overflow-hidden rounded-control bg-sunken px-2 py-1 font-mono text-12 text-muted"
    >
      {lastLines(props.text, TAIL_LINES).map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the window moves over the text
        <span key={place} className="h-4 truncate">
          {line}
        </span>
      ))}
    </pre>
  );
}

function CardFoot(props: {
  readonly part: ArtifactPart;
  readonly actions: CardActions;
  readonly facts: string;
}): ReactElement {
  return (
    <div className="mb-3 flex h-14 flex-col justify-end gap-1 px-3 pointer-coarse:h-auto pointer-coarse:gap-2">
      <p className="truncate text-13 text-muted">{props.facts}</p>
      <CardButtons part={props.part} actions={props.actions} />
    </div>
  );
}

function CardButtons(props: {
  readonly part: ArtifactPart;
  readonly actions: CardActions;
}): ReactNode {
  const strings = useStrings();
  const { part, actions } = props;
  const path = part.saved?.path ?? part.pointer;
  if (path === null) {
    return (
      <div className="-ms-3 flex items-center">
        <CopyTextButton label={strings.card.copyBody} text={() => part.text} />
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        aria-label={strings.card.openPath(path)}
        onClick={() => actions.onOpen(path)}
      >
        {strings.action.open}
      </Button>
      <Button
        variant="quiet"
        aria-label={strings.card.sourceOf(path)}
        onClick={() => actions.onSource(path)}
      >
        {strings.action.source}
      </Button>
      <LinkButton
        href={actions.downloadUrl(path)}
        download
        aria-label={strings.card.downloadPath(path)}
        icon={<Download size={16} aria-hidden />}
      >
        {strings.action.download}
      </LinkButton>
    </div>
  );
}

/** How an artifact was found that no tag announced; null of one that a tag did. */
function foundWords(part: ArtifactPart, strings: Strings): string | null {
  switch (part.recovered) {
    case null:
      return null;
    case "bare-document":
      return strings.card.foundBare;
    case "document-before-remark":
      return strings.card.foundBefore;
    case "fenced-document":
      return strings.card.foundFenced;
    case "unclosed-fence":
      return strings.card.foundUnclosed;
    default:
      return strings.card.found;
  }
}

function CardNotes(props: {
  readonly part: ArtifactPart;
  readonly state: CardState;
  readonly goOn: ReactNode;
  readonly decide: ReactNode;
}): ReactElement | null {
  const strings = useStrings();
  const { part, state } = props;
  const goOn = state === "cut" || state === "saved-cut" ? (props.goOn ?? null) : null;
  const isAside = state === "quarantined";
  const found = state === "pointer" ? strings.card.openedText : foundWords(part, strings);
  const hasNone = part.diagnostics.length === 0 && !isAside && found === null;
  if (hasNone && goOn === null) return null;
  return (
    <div
      className={cx(
        "border-t border-border px-3 py-1",
        state === "refused" ? "bg-danger-soft" : null,
        isAside || state === "cut" || state === "saved-cut" ? "bg-warning-soft" : null,
      )}
    >
      {found === null ? null : (
        <p className="flex items-start gap-2 py-1 text-13 text-text">
          <span className="flex h-5 items-center">
            <ToneIcon tone="info" />
          </span>
          {found}
        </p>
      )}
      {isAside ? (
        <p className="py-1 text-13 text-text">
          {strings.card.quarantinedText(part.held?.path ?? part.identifier)}
        </p>
      ) : null}
      {isAside ? props.decide : null}
      <DiagnosticsList diagnostics={part.diagnostics} />
      {goOn === null ? null : <div className="py-1">{goOn}</div>}
    </div>
  );
}
