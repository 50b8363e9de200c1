import type { NewRun } from "@vitrail/protocol";
import { useRef, useState } from "react";
import { usePreference } from "../preferences.ts";
import { type Answering, useAnswering } from "../queries.ts";
import { navigate, projectRoute } from "../routes.ts";
import { useWiring } from "../workspace-context.tsx";
import { recordingOf } from "./suggestions.ts";

/** Why a message was not sent. */
export type SendFailure =
  | { readonly kind: "replay-only" }
  | { readonly kind: "failed"; readonly error: unknown };

/** The act of sending, and how the last one went. */
export interface Sending {
  readonly isSending: boolean;
  readonly failure: SendFailure | null;
  /** Resolves to true once the message is with the server. */
  readonly send: (text: string) => Promise<boolean>;
  readonly forget: () => void;
}

/** Sends a message into a conversation, which begins with it where there is none yet. */
export function useSend(place: {
  readonly projectId: string;
  readonly projectName: string;
  readonly conversationId: string | null;
  readonly openPath: string | null;
}): Sending {
  const { workspace } = useWiring();
  const askWhoAnswers = useAnswering();
  const speed = usePreference((preferences) => preferences.speed);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<SendFailure | null>(null);

  const bodyOf = (text: string, { agent, examples }: Answering): NewRun | null => {
    const common = { text, openPath: place.openPath };
    if (agent !== "replay") return { ...common, agent };
    const example = recordingOf(text, examples);
    if (example === null) return null;
    return { ...common, agent, recording: example.name, speed };
  };

  // A conversation that began for a message which then failed serves the next try.
  const begun = useRef<{ readonly projectId: string; readonly id: string } | null>(null);
  const begin = async (): Promise<string> => {
    const { projectId } = place;
    if (begun.current?.projectId !== projectId) {
      const { id } = await workspace.createConversation(projectId);
      begun.current = { projectId, id };
    }
    const { id } = begun.current;
    return id;
  };

  const send = async (text: string): Promise<boolean> => {
    if (isSending) return false;
    setSending(true);
    setFailure(null);
    try {
      const body = bodyOf(text, await askWhoAnswers());
      if (body === null) {
        setFailure({ kind: "replay-only" });
        return false;
      }
      const conversationId = place.conversationId ?? (await begin());
      await workspace.send(conversationId, body);
      if (place.conversationId === null) {
        navigate(projectRoute(place.projectName, conversationId), "replace");
      }
      begun.current = null;
      return true;
    } catch (error) {
      setFailure({ kind: "failed", error });
      return false;
    } finally {
      setSending(false);
    }
  };
  return { isSending, failure, send, forget: () => setFailure(null) };
}
