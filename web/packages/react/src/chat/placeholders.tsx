import type { DirectivePart, EmbedPart } from "@vitrail/protocol";
import {
  EyeOff,
  type LucideIcon,
  Mic,
  Paperclip,
  Reply,
  SmilePlus,
  SquareDashed,
  VolumeX,
} from "lucide-react";
import type { ReactElement } from "react";
import { type Strings, useStrings } from "../strings/strings.tsx";
import { DirectedText } from "./directed-text.tsx";

/** A rendered view that the reply places here, by its name, until it can be drawn. */
export function EmbedPlaceholder(props: { readonly part: EmbedPart }): ReactElement {
  const { chat } = useStrings();
  const { title, ref, url } = props.part;
  const where = title === null ? null : (ref ?? url);
  return (
    <p className="flex max-w-prose items-start gap-2 rounded-control border border-dashed border-border-strong px-3 py-2 text-muted">
      <span className="flex h-5 items-center">
        <SquareDashed size={16} aria-hidden className="shrink-0" />
      </span>
      <span className="min-w-0 text-13 break-words">
        <DirectedText text={chat.embed(title ?? ref ?? url ?? chat.embedUnnamed)} />
        {where === null ? null : (
          <span className="block font-mono text-12 break-all text-faint">{where}</span>
        )}
      </span>
    </p>
  );
}

/** What the reply says about its own delivery, each in a word. */
export function DirectiveChips(props: {
  readonly directives: readonly DirectivePart[];
}): ReactElement | null {
  const strings = useStrings();
  if (props.directives.length === 0) return null;
  return (
    <ul aria-label={strings.chat.directives} className="flex max-w-prose flex-wrap gap-1">
      {props.directives.map((part, place) => {
        const { Icon, words } = directiveOf(part, strings);
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: directives have no identity of their own
            key={place}
            className="flex min-h-6 max-w-full items-center gap-1 rounded-control border border-border px-2 text-12 text-muted"
          >
            <Icon size={12} aria-hidden className="shrink-0" />
            <span className="min-w-0 truncate" title={words}>
              <DirectedText text={words} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function directiveOf(
  part: DirectivePart,
  strings: Strings,
): { readonly Icon: LucideIcon; readonly words: string } {
  const { chat } = strings;
  const value = part.value ?? "";
  switch (part.name) {
    case "reply_to_current":
      return { Icon: Reply, words: chat.replyToCurrent };
    case "reply_to":
      return { Icon: Reply, words: chat.replyTo(value) };
    case "audio_as_voice":
      return { Icon: Mic, words: chat.voice };
    case "media":
      return {
        Icon: Paperclip,
        words: part.value === null ? chat.mediaRefused : chat.media(lastSegment(value)),
      };
    case "react":
    case "react_to_current":
      return { Icon: SmilePlus, words: chat.reaction(value) };
    case "silent":
      return { Icon: VolumeX, words: chat.silent };
    default:
      return {
        Icon: SquareDashed,
        words:
          part.value === null
            ? chat.directive(part.name)
            : chat.directiveValue(part.name, part.value),
      };
  }
}

/** The name at the end of a path or an address. */
function lastSegment(path: string): string {
  const plain = path.split(/[?#]/, 1)[0] ?? path;
  return plain.split(/[/\\]/).findLast((segment) => segment !== "") ?? path;
}

/** That something was hidden, and how much; never what. */
export function HiddenNote(props: {
  readonly tags: number;
  readonly chars: number;
}): ReactElement | null {
  const { chat } = useStrings();
  if (props.tags === 0) return null;
  return (
    <p className="flex items-center gap-1 text-12 text-faint">
      <EyeOff size={12} aria-hidden className="shrink-0" />
      {chat.hidden(props.tags, props.chars)}
    </p>
  );
}
