import type { ArtifactPart, Example, Message } from "@vitrail/protocol";
import { Button, Notice, useStrings } from "@vitrail/react";
import { artifactParts, messagesOf, type RunEntry } from "@vitrail/stream";
import { FastForward } from "lucide-react";
import { type ReactElement, useCallback, useMemo, useState } from "react";
import { usePreference } from "../preferences.ts";
import { useAnswering, wordsOf } from "../queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useWiring } from "../workspace-context.tsx";
import { nextExamples } from "./suggestions.ts";

/** How continuing an artifact stands. */
export type Continuing =
  | { readonly state: "can" | "asking" | "below" }
  | { readonly state: "failed"; readonly words: string; readonly code: string | null };

/** The act of continuing the artifact in which a reply was cut. */
export interface ContinueUse {
  /** The artifact's ordinal in the message. */
  readonly artifact: number;
  readonly continuing: Continuing;
  readonly goOn: () => void;
}

/** Returns the artifact in which a reply was cut; the server goes on with no other. */
export function cutArtifact(message: Message): ArtifactPart | null {
  const last = artifactParts(message).findLast((part) => part.recovered === null);
  return last?.state === "cut" && last.reason === "unclosed" ? last : null;
}

/**
 * Returns how the cut artifact of a reply is continued; none where nothing is cut.
 * `behind`: who wrote the message behind this one; null where it is the last.
 */
export function useContinue(
  message: Message,
  run: RunEntry | null,
  behind: Message["role"] | null,
): ContinueUse | null {
  const strings = useStrings();
  const { api, workspace } = useWiring();
  const askWhoAnswers = useAnswering();
  const speed = usePreference((preferences) => preferences.speed);
  const [continuing, setContinuing] = useState<Continuing>({ state: "can" });
  const runId = run?.id ?? null;
  const isReplay = run?.agent === "replay";
  const { conversationId } = message;

  const nextOf = useCallback(
    async (conversation: string): Promise<Example | undefined> => {
      const { examples } = await askWhoAnswers();
      const { data } = workspace.store.getState();
      return nextExamples(messagesOf(data, conversation), examples)[0];
    },
    [askWhoAnswers, workspace],
  );
  const goOn = useCallback(async (): Promise<void> => {
    if (runId === null) return;
    setContinuing({ state: "asking" });
    try {
      const follows = isReplay ? await nextOf(conversationId) : null;
      if (follows === undefined) {
        const words = strings.composer.replayOnly;
        setContinuing({ state: "failed", words, code: null });
        return;
      }
      await api.continueRun(
        runId,
        follows === null ? {} : { recording: follows.name, speed },
      );
    } catch (error) {
      setContinuing({ state: "failed", ...wordsOf(error, strings.state.unknownError) });
    }
  }, [api, nextOf, strings, runId, isReplay, conversationId, speed]);

  const isOver = run !== null && run.state !== "running";
  const artifact = isOver ? (cutArtifact(message)?.artifact ?? null) : null;
  return useMemo(() => {
    if (artifact === null || behind === "user") return null;
    const isBelow = behind === "assistant";
    return {
      artifact,
      continuing: isBelow ? { state: "below" } : continuing,
      goOn: () => void goOn(),
    };
  }, [artifact, behind, continuing, goOn]);
}

/** The button, and how it went; `isAlone` where no words stand beside it yet. */
export function ContinueArtifact(props: {
  readonly use: ContinueUse;
  readonly isAlone: boolean;
}): ReactElement {
  const strings = useStrings();
  const why = useWhyReadOnly();
  const { continuing, goOn } = props.use;
  if (continuing.state === "below") {
    return <p className="text-13 text-muted">{strings.card.goOnBelow}</p>;
  }
  const isAsking = continuing.state === "asking";
  return (
    <div className="flex w-full flex-col gap-2">
      {continuing.state === "failed" && props.isAlone ? (
        <Notice tone="danger" isLive code={continuing.code}>
          {continuing.words}
        </Notice>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {props.isAlone ? (
          <p className="min-w-0 flex-1 basis-40 text-13">{strings.card.goOnText}</p>
        ) : null}
        <Button
          size={props.isAlone ? "small" : "medium"}
          whyDisabled={why ?? (isAsking ? strings.card.goOnAsking : null)}
          icon={<FastForward size={16} aria-hidden className="rtl:-scale-x-100" />}
          onClick={goOn}
        >
          {isAsking ? strings.card.goOnAsking : strings.card.goOn}
        </Button>
      </div>
    </div>
  );
}
