/** Which prompts are offered as one press: recordings that fit, or a start. */

import type { Example, Message } from "@vitrail/protocol";
import type { Suggestion } from "@vitrail/react";

const MAX_SUGGESTIONS = 4;

/** Returns the text of a person's message. */
export function textOf(message: Message): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Returns the recording whose prompt a text is. */
export function recordingOf(text: string, examples: readonly Example[]): Example | null {
  const wanted = text.trim();
  return examples.find((example) => example.prompt.trim() === wanted) ?? null;
}

/** Returns the recordings that may be played next in a conversation. */
export function nextExamples(
  messages: readonly Message[],
  examples: readonly Example[],
): readonly Example[] {
  const last = messages.findLast((message) => message.role === "user");
  if (last === undefined) {
    return examples
      .filter((example) => example.follows === null)
      .slice(0, MAX_SUGGESTIONS);
  }
  const played = recordingOf(textOf(last), examples);
  return played === null
    ? []
    : examples.filter((example) => example.follows === played.name);
}

/** Returns a recording as something to press. */
export function suggestionOf(example: Example): Suggestion {
  return { id: example.name, text: example.prompt, title: example.title };
}
