import { ArrowUp, CornerDownRight, Square } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { Button } from "../controls/button.tsx";
import { useStrings } from "../strings/strings.tsx";

const MAX_HEIGHT_PX = 240;

/** A prompt that can be sent by one press. */
export interface Suggestion {
  readonly id: string;
  readonly text: string;
  readonly title: string;
}

/** What the composer's one button does. */
export type ComposerMode = "idle" | "sending" | "running" | "stopping";

/** Makes the field as high as its text, up to a limit. */
function useAutoHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.blockSize = "auto";
    element.style.blockSize = `${Math.min(element.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [text]);
}

/**
 * Where the person writes. Enter sends, Shift and Enter make a new line, and an
 * Enter that ends the composition of a word does neither. The stop button is
 * where the send button was.
 */
export function Composer(props: {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly mode: ComposerMode;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
  /** Why nothing can be sent now. */
  readonly whyNot?: string | null;
  /** Why a reply cannot be stopped now. */
  readonly whyNoStop?: string | null;
  readonly placeholder: string;
  readonly suggestions: readonly Suggestion[];
  readonly onSuggestion: (suggestion: Suggestion) => void;
  /** Who answers, with the way to change it. */
  readonly agent: ReactNode;
  /** A failure to send, beside the text it kept. */
  readonly notice?: ReactNode;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}): ReactElement {
  const strings = useStrings();
  const hintId = useId();
  const own = useRef<HTMLTextAreaElement>(null);
  const field = props.field ?? own;
  useAutoHeight(field, props.text);
  const trimmed = props.text.trim();
  const whyNot = props.whyNot ?? (trimmed === "" ? strings.composer.sendEmpty : null);

  const send = (): void => {
    if (whyNot === null && props.mode === "idle") props.onSend(props.text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <div className="shrink-0 px-4 pb-4">
      <div className="mx-auto flex max-w-190 flex-col gap-2">
        {props.notice}
        <Suggestions
          suggestions={props.suggestions}
          whyNot={props.whyNot ?? null}
          onSuggestion={props.onSuggestion}
        />
        <form
          className="rounded-card border border-border-strong bg-surface focus-within:border-focus"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <textarea
            ref={field}
            dir="auto"
            rows={2}
            value={props.text}
            placeholder={props.placeholder}
            aria-label={strings.composer.label}
            aria-describedby={hintId}
            onChange={(event) => props.onText(event.target.value)}
            onKeyDown={onKeyDown}
            className="block w-full resize-none bg-transparent px-3 pt-3 text-15 outline-none focus-visible:outline-none pointer-coarse:text-touch"
          />
          <p id={hintId} className="sr-only">
            {strings.composer.hint}
          </p>
          <div className="flex items-center justify-between gap-2 p-2">
            <div className="flex min-w-0 items-center gap-1">{props.agent}</div>
            <SendOrStop
              mode={props.mode}
              whyNot={whyNot}
              whyNoStop={props.whyNoStop ?? null}
              onStop={props.onStop}
            />
          </div>
        </form>
      </div>
    </div>
  );
}

function SendOrStop(props: {
  readonly mode: ComposerMode;
  readonly whyNot: string | null;
  readonly whyNoStop: string | null;
  readonly onStop: () => void;
}): ReactElement {
  const strings = useStrings();
  if (props.mode === "idle" || props.mode === "sending") {
    return (
      <Button
        key="send"
        type="submit"
        variant="primary"
        className="min-w-20"
        whyDisabled={props.mode === "sending" ? strings.composer.sending : props.whyNot}
        icon={<ArrowUp size={16} aria-hidden />}
      >
        {strings.composer.send}
      </Button>
    );
  }
  return (
    <Button
      key="stop"
      className="min-w-20"
      onClick={props.onStop}
      whyDisabled={
        props.mode === "stopping" ? strings.composer.stopping : props.whyNoStop
      }
      icon={<Square size={12} aria-hidden className="fill-current" />}
    >
      {strings.composer.stop}
    </Button>
  );
}

function Suggestions(props: {
  readonly suggestions: readonly Suggestion[];
  readonly whyNot: string | null;
  readonly onSuggestion: (suggestion: Suggestion) => void;
}): ReactElement | null {
  const strings = useStrings();
  if (props.suggestions.length === 0) return null;
  return (
    <ul aria-label={strings.composer.suggestions} className="flex flex-col gap-2">
      {props.suggestions.map((suggestion) => (
        <li key={suggestion.id}>
          <Button
            title={suggestion.text}
            whyDisabled={props.whyNot}
            onClick={() => props.onSuggestion(suggestion)}
            className="w-full justify-start py-1 text-start text-13 font-normal"
            icon={
              <CornerDownRight
                size={16}
                aria-hidden
                className="me-1 shrink-0 text-faint rtl:-scale-x-100"
              />
            }
          >
            <span
              dir="auto"
              className="line-clamp-4 min-w-0 whitespace-normal break-words"
            >
              {suggestion.text}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
