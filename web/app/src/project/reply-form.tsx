import type { FormPart } from "@vitrail/protocol";
import {
  type Answers,
  Button,
  type ChosenFiles,
  type Drafts,
  QuestionForm,
  type SendFault,
  type Strings,
  useStrings,
} from "@vitrail/react";
import { messagesOf } from "@vitrail/stream";
import { type Api, ApiError } from "@vitrail/stream/client";
import { type ReactElement, useState } from "react";
import { usePreference } from "../preferences.ts";
import { useAnswering, wordsOf } from "../queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { openSurface } from "../surfaces.ts";
import { useData, useWiring } from "../workspace-context.tsx";
import { answersTo, keepDrafts, readDrafts } from "./form-answers.ts";
import { nextExamples } from "./suggestions.ts";

/** Where a reply stands. */
export interface ReplyPlace {
  readonly projectId: string;
  readonly conversationId: string;
  /** The file the person has open. */
  readonly openPath: string | null;
}

/** A form of a reply, answered into its conversation. */
export function ReplyForm(props: {
  readonly part: FormPart;
  readonly messageId: string;
  readonly place: ReplyPlace;
  readonly isStreaming: boolean;
  readonly isRunning: boolean;
}): ReactElement {
  const strings = useStrings();
  const { part, messageId, place } = props;
  const { id } = part.form;
  const formId = typeof id === "string" ? id : "";
  const key = `${place.conversationId}/${messageId}/${formId}`;
  const answers = useData((data) =>
    answersTo(messagesOf(data, place.conversationId), messageId, formId),
  );
  const [drafts] = useState(() => readDrafts(key));
  const send = useSendAnswers(place, messageId, formId);
  const whyReadOnly = useWhyReadOnly();
  const isCut = !part.complete && !props.isRunning;
  const whyNow = isCut ? strings.form.cut : null;
  return (
    <QuestionForm
      part={part}
      isStreaming={props.isStreaming}
      use={{
        answers,
        whyNot:
          whyNow ?? whyReadOnly ?? (props.isRunning ? strings.form.replyComing : null),
        drafts,
        onDrafts: (next) => keepDrafts(key, next),
        onSend: async (given, files) => {
          const fault = await send(given, files);
          if (fault === null) keepDrafts(key, NO_DRAFTS);
          return fault;
        },
      }}
    />
  );
}

const NO_DRAFTS: Drafts = {};

/** Returns the act that keeps the files of some answers and sends them. */
function useSendAnswers(
  place: ReplyPlace,
  messageId: string,
  formId: string,
): (answers: Answers, files: ChosenFiles) => Promise<SendFault | null> {
  const strings = useStrings();
  const { api, workspace } = useWiring();
  const askWhoAnswers = useAnswering();
  const speed = usePreference((preferences) => preferences.speed);
  return async (answers, files) => {
    try {
      const { agent, examples } = await askWhoAnswers();
      const isReplay = agent === "replay";
      const { data } = workspace.store.getState();
      const messages = messagesOf(data, place.conversationId);
      const next = isReplay ? nextExamples(messages, examples)[0] : undefined;
      if (isReplay && next === undefined) {
        const message = strings.composer.replayOnly;
        return { message, code: null, byQuestion: {}, action: <ConnectButton /> };
      }
      const told = await keepFiles(api, place.projectId, answers, files);
      await api.answerForm(place.conversationId, {
        messageId,
        formId,
        answers: told,
        openPath: place.openPath,
        agent,
        ...(isReplay ? { recording: next?.name ?? null, speed } : {}),
      });
      return null;
    } catch (error) {
      return faultOf(error, strings);
    }
  };
}

function ConnectButton(): ReactElement {
  const strings = useStrings();
  return (
    <Button onClick={() => openSurface({ surface: "connect" })}>
      {strings.home.connect}
    </Button>
  );
}

function faultOf(error: unknown, strings: Strings): SendFault {
  if (error instanceof FileNotKept) {
    const { words, code } = wordsOf(error.cause, strings.state.unknownError);
    const message = strings.form.fileFailed(error.fileName, words);
    return { message, code, byQuestion: { [error.questionId]: message } };
  }
  const { words, code } = wordsOf(error, strings.state.unknownError);
  return { message: words, code, byQuestion: byQuestion(error) };
}

/** What the server said about single answers. */
function byQuestion(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  const { findings } = error.details;
  return Object.fromEntries(
    (Array.isArray(findings) ? findings : []).flatMap((found: unknown) =>
      isFinding(found) ? [[found.question, found.message] as const] : [],
    ),
  );
}

function isFinding(
  value: unknown,
): value is { readonly question: string; readonly message: string } {
  if (typeof value !== "object" || value === null) return false;
  const { question, message } = value as Readonly<Record<string, unknown>>;
  return typeof question === "string" && typeof message === "string";
}

class FileNotKept extends Error {
  readonly questionId: string;
  readonly fileName: string;

  constructor(questionId: string, fileName: string, cause: unknown) {
    super(fileName, { cause });
    this.questionId = questionId;
    this.fileName = fileName;
  }
}

/** Puts the chosen files into the project; the answers name them by their paths there. */
async function keepFiles(
  api: Api,
  projectId: string,
  answers: Answers,
  files: ChosenFiles,
): Promise<Answers> {
  const told = new Map(Object.entries(answers));
  for (const [questionId, chosen] of files) {
    const answer = told.get(questionId) ?? null;
    if (answer === null || chosen.length === 0) continue;
    const paths: string[] = [];
    for (const file of chosen) {
      try {
        paths.push(await keepFile(api, projectId, file));
      } catch (error) {
        throw new FileNotKept(questionId, file.name, error);
      }
    }
    told.set(questionId, typeof answer === "string" ? (paths[0] ?? answer) : paths);
  }
  return Object.fromEntries(told);
}

const FOLDER = "uploads";
const MAX_NAMES = 20;

/** Writes a file under a name that is free; returns its path. */
async function keepFile(api: Api, projectId: string, file: File): Promise<string> {
  const dot = file.name.lastIndexOf(".");
  const [stem, end] =
    dot > 0 ? [file.name.slice(0, dot), file.name.slice(dot)] : [file.name, ""];
  for (let number = 1; ; number += 1) {
    const path = `${FOLDER}/${number === 1 ? stem : `${stem}-${number}`}${end}`;
    try {
      await api.writeFile(projectId, path, file, { create: true });
      return path;
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === "file-exists";
      if (!isTaken || number >= MAX_NAMES) throw error;
    }
  }
}
