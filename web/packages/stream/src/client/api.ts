import type {
  AcceptDraft,
  AgentInfo,
  AgentTest,
  AgentTestResult,
  ContinueRun,
  Conversation,
  ConversationPage,
  ConversationPatch,
  DraftList,
  Example,
  FileBlame,
  FileDiff,
  FileInfo,
  ImportedTranscript,
  ImportResult,
  LocalServers,
  ModelSettings,
  ModelSettingsView,
  MoveResult,
  NewConversation,
  NewFormAnswers,
  NewPreview,
  NewProject,
  NewRun,
  PageParts,
  PreviewInfo,
  Project,
  ProjectHistory,
  ProjectPage,
  ProjectPatch,
  ProviderDefault,
  ProviderModels,
  ProviderSettings,
  ProvidersView,
  ProviderTry,
  ProviderVerdict,
  ProviderView,
  RevisionPage,
  Run,
  RunPage,
  RunStarted,
  ServerStatus,
  WriteResult,
} from "@vitrail/protocol";
import { ApiError, errorOf, invalidResponse, unreachable } from "./errors.ts";

/** What every call takes last. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What a write says about the file it replaces: which bytes, or that there are none. */
export type WriteIf = { readonly ifMatch: string } | { readonly create: true };

/** A file's text and the digest of its bytes. */
export interface FileText {
  readonly text: string;
  readonly digest: string;
}

/** The server's routes as typed functions; each rejects with an `ApiError`. */
export type Api = ReturnType<typeof createApi>;

/** How the API is reached. */
export interface ApiOptions {
  /** Origin and path before `/api`; empty for the page's own origin. */
  readonly base?: string;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Make the functions of the API; a call that its `signal` ends rejects with that. */
export function createApi(options: ApiOptions = {}) {
  const base = `${options.base ?? ""}/api`;
  const http = new Http(base, options.fetch ?? ((url, init) => fetch(url, init)));
  const project = (id: string) => path("projects", id);
  const file = (id: string, name: string) => `${project(id)}/files${filePath(name)}`;
  const conversation = (id: string) => path("conversations", id);
  const run = (id: string) => path("runs", id);
  const provider = (name: string) => path("providers", name);
  return {
    status: (call?: CallOptions) => http.get<ServerStatus>("/status", call),

    projects: (call?: CallOptions) => http.get<readonly Project[]>("/projects", call),
    createProject: (body: NewProject, call?: CallOptions) =>
      http.send<Project>("POST", "/projects", body, call),
    project: (id: string, call?: CallOptions) => http.get<ProjectPage>(project(id), call),
    updateProject: (id: string, body: ProjectPatch, call?: CallOptions) =>
      http.send<Project>("PATCH", project(id), body, call),
    deleteProject: (id: string, call?: CallOptions) => http.delete(project(id), call),
    /** Address of the project's files as a ZIP archive. */
    zipUrl: (id: string) => `${base}${project(id)}/zip`,

    createConversation: (projectId: string, body: NewConversation, call?: CallOptions) =>
      http.send<Conversation>("POST", `${project(projectId)}/conversations`, body, call),
    conversation: (id: string, call?: CallOptions) =>
      http.get<ConversationPage>(conversation(id), call),
    updateConversation: (id: string, body: ConversationPatch, call?: CallOptions) =>
      http.send<Conversation>("PATCH", conversation(id), body, call),
    deleteConversation: (id: string, call?: CallOptions) =>
      http.delete(conversation(id), call),

    startRun: (conversationId: string, body: NewRun, call?: CallOptions) =>
      http.send<RunStarted>("POST", `${conversation(conversationId)}/runs`, body, call),
    /** Answer a question form of the conversation; the run that goes on begins. */
    answerForm: (conversationId: string, body: NewFormAnswers, call?: CallOptions) =>
      http.send<RunStarted>(
        "POST",
        `${conversation(conversationId)}/form-answers`,
        body,
        call,
      ),
    stopRun: (id: string, call?: CallOptions) =>
      http.send<Run>("POST", `${run(id)}/stop`, undefined, call),
    /** Let a model go on with the artifact in which this run was cut. */
    continueRun: (id: string, body: Partial<ContinueRun>, call?: CallOptions) =>
      http.send<RunStarted>("POST", `${run(id)}/continue`, body, call),
    run: (id: string, call?: CallOptions) => http.get<RunPage>(run(id), call),
    /** Keep a run as an example, keys scrubbed. */
    saveRecording: (runId: string, call?: CallOptions) =>
      http.send<Example>("POST", `${run(runId)}/recording`, undefined, call),
    /** Address of a run as a recording. */
    recordingUrl: (runId: string) => `${base}${run(runId)}/recording`,

    files: (projectId: string, call?: CallOptions) =>
      http.get<readonly FileInfo[]>(`${project(projectId)}/files`, call),
    fileText: (projectId: string, name: string, call?: CallOptions) =>
      http.text(file(projectId, name), call),
    /** Write a file over the bytes that `condition` names; refused if they changed. */
    writeFile: (
      projectId: string,
      name: string,
      content: string | Blob,
      condition: WriteIf,
      call?: CallOptions,
    ) => http.put<WriteResult>(file(projectId, name), content, condition, call),
    /**
     * Take a file away, if it still has the bytes of that digest, and with it what only
     * it needs, if that is asked for; the history of each stays.
     */
    removeFile: (
      projectId: string,
      name: string,
      gone: { readonly digest: string; readonly parts: boolean },
      call?: CallOptions,
    ) =>
      http.ask(
        "DELETE",
        `${file(projectId, name)}${gone.parts ? "?parts=true" : ""}`,
        { condition: { ifMatch: gone.digest } },
        call,
      ),
    /** The other files of a page: those that only it needs, and those that stay. */
    pageParts: (projectId: string, name: string, call?: CallOptions) =>
      http.get<PageParts>(`${project(projectId)}/parts${filePath(name)}`, call),
    /** Give a file another name; what refers to it is rewritten. */
    moveFile: (
      projectId: string,
      move: {
        readonly from: string;
        readonly to: string;
        readonly digest: string;
        /** Whether the files that only it needs keep their place beside it. */
        readonly parts: boolean;
      },
      call?: CallOptions,
    ) =>
      http.send<MoveResult>(
        "POST",
        `${project(projectId)}/moves`,
        { from: move.from, to: move.to, parts: move.parts },
        call,
        { ifMatch: move.digest },
      ),

    /** Every path of the project that has revisions, those of files that are gone too. */
    history: (projectId: string, call?: CallOptions) =>
      http.get<ProjectHistory>(`${project(projectId)}/history`, call),
    /** Revisions of one path, the newest first; older than `before` if that is given. */
    revisions: (
      projectId: string,
      name: string,
      page: { readonly before: number | null; readonly limit: number },
      call?: CallOptions,
    ) => {
      const query = new URLSearchParams({ limit: String(page.limit) });
      if (page.before !== null) query.set("before", String(page.before));
      return http.get<RevisionPage>(
        `${project(projectId)}/history${filePath(name)}?${query}`,
        call,
      );
    },
    revisionText: (projectId: string, id: string, call?: CallOptions) =>
      http.text(`${project(projectId)}${path("revisions", id)}/content`, call),
    /** Address of a revision's bytes, as a download. */
    revisionUrl: (projectId: string, id: string) =>
      `${base}${project(projectId)}${path("revisions", id)}/content?download=true`,
    /** What tells two revisions apart; without an older one, what the newer one changed. */
    diff: (
      projectId: string,
      name: string,
      sides: { readonly from: string | null; readonly to: string },
      call?: CallOptions,
    ) => {
      const query = new URLSearchParams({ to: sides.to });
      if (sides.from !== null) query.set("from", sides.from);
      return http.get<FileDiff>(
        `${project(projectId)}/diff${filePath(name)}?${query}`,
        call,
      );
    },
    /** Who wrote each range of a file. */
    blame: (projectId: string, name: string, call?: CallOptions) =>
      http.get<FileBlame>(`${project(projectId)}/blame${filePath(name)}`, call),
    /** Put passages of a revision back into the file's bytes that `condition` names. */
    putBack: (
      projectId: string,
      name: string,
      from: {
        readonly revision: string;
        readonly passages: readonly (readonly [number, number])[];
      },
      condition: WriteIf,
      call?: CallOptions,
    ) =>
      http.send<WriteResult>(
        "POST",
        `${project(projectId)}/restore${filePath(name)}`,
        from,
        call,
        condition,
      ),
    /** Bring a revision back as a new one, over the bytes that `condition` names. */
    restoreFile: (
      projectId: string,
      name: string,
      revision: string,
      condition: WriteIf,
      call?: CallOptions,
    ) =>
      http.send<WriteResult>(
        "POST",
        `${project(projectId)}/restore${filePath(name)}`,
        { revision },
        call,
        condition,
      ),

    /** What was kept beside a good file and waits for a person. */
    drafts: (projectId: string, call?: CallOptions) =>
      http.get<DraftList>(`${project(projectId)}/quarantine`, call),
    /** Take a draft, or the person's resolution of it, over the good file's bytes. */
    acceptDraft: (
      projectId: string,
      id: string,
      body: AcceptDraft,
      condition: WriteIf,
      call?: CallOptions,
    ) =>
      http.send<WriteResult>(
        "POST",
        `${project(projectId)}${path("quarantine", id)}/accept`,
        body,
        call,
        condition,
      ),
    /** Let a draft go; its revision stays in the history. */
    dropDraft: (projectId: string, id: string, call?: CallOptions) =>
      http.ask("POST", `${project(projectId)}${path("quarantine", id)}/drop`, {}, call),

    /**
     * Put the files of a ZIP archive, or a bundle, into the project: all, or none. A
     * file that is there with other bytes is replaced only for a stated reason.
     */
    importArchive: (
      projectId: string,
      archive: Blob,
      about: { readonly replace?: string } = {},
      call?: CallOptions,
    ) =>
      http.upload<ImportResult>(
        "POST",
        `${project(projectId)}/import?onto=project`,
        { content: archive, type: "application/zip" },
        replaceHeaders(about.replace),
        call,
      ),
    /** Make a project of a ZIP archive or a bundle. */
    importProject: (title: string | null, archive: Blob, call?: CallOptions) =>
      http.upload<ImportResult>(
        "POST",
        title === null ? "/imports" : `/imports?${new URLSearchParams({ title })}`,
        { content: archive, type: "application/zip" },
        {},
        call,
      ),
    /** Take the conversations of a transcript into a project: all, or none. */
    importTranscript: (projectId: string, transcript: Blob, call?: CallOptions) =>
      http.upload<ImportedTranscript>(
        "POST",
        `${project(projectId)}/transcripts`,
        { content: transcript, type: "application/x-ndjson" },
        {},
        call,
      ),

    /** Address of the project as one file: its files, or also its history. */
    exportUrl: (projectId: string, to: "bundle" | "zip") =>
      `${base}${project(projectId)}/export?to=${to}`,
    /** Address of a conversation as a transcript. */
    transcriptUrl: (id: string) => `${base}${conversation(id)}/transcript`,

    /** Address of a file's bytes; as a download if asked. */
    fileUrl: (projectId: string, name: string, as: { download?: boolean } = {}) =>
      `${base}${file(projectId, name)}${as.download === true ? "?download=true" : ""}`,

    agents: (call?: CallOptions) => http.get<readonly AgentInfo[]>("/agents", call),
    testAgent: (body: AgentTest, call?: CallOptions) =>
      http.send<AgentTestResult>("POST", "/agents/test", body, call),
    modelSettings: (call?: CallOptions) =>
      http.get<ModelSettingsView>("/settings/model", call),
    saveModelSettings: (body: ModelSettings, call?: CallOptions) =>
      http.send<ModelSettingsView>("PUT", "/settings/model", body, call),
    providers: (call?: CallOptions) => http.get<ProvidersView>("/providers", call),
    chooseProvider: (body: ProviderDefault, call?: CallOptions) =>
      http.send<ProvidersView>("PUT", "/providers", body, call),
    saveProvider: (
      name: ProviderView["name"],
      body: ProviderSettings,
      call?: CallOptions,
    ) => http.send<ProvidersView>("PUT", provider(name), body, call),
    /** Forget the address, the model and the key that were saved for a provider. */
    forgetProvider: (name: ProviderView["name"], call?: CallOptions) =>
      http.send<ProvidersView>("DELETE", provider(name), undefined, call),
    /** Ask a provider for its models; saves nothing. */
    providerModels: (name: ProviderView["name"], body: ProviderTry, call?: CallOptions) =>
      http.send<ProviderModels>("POST", `${provider(name)}/models`, body, call),
    /** Ask a provider for a short reply; saves nothing. */
    testProvider: (name: ProviderView["name"], body: ProviderTry, call?: CallOptions) =>
      http.send<ProviderVerdict>("POST", `${provider(name)}/test`, body, call),
    /** Look for model servers on the machine that the server runs on. */
    detectProviders: (call?: CallOptions) =>
      http.send<LocalServers>("POST", "/providers/detect", undefined, call),
    examples: (call?: CallOptions) => http.get<readonly Example[]>("/examples", call),

    createPreview: (projectId: string, body: NewPreview, call?: CallOptions) =>
      http.send<PreviewInfo>("POST", `${project(projectId)}/previews`, body, call),
    keepPreview: (capability: string, call?: CallOptions) =>
      http.send<PreviewInfo>(
        "POST",
        `${path("previews", capability)}/keep`,
        undefined,
        call,
      ),
    closePreview: (capability: string, call?: CallOptions) =>
      http.delete(path("previews", capability), call),
  } as const;
}

function path(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
}

/** A file's path in an address: each segment by itself, since a slash is one. */
function filePath(name: string): string {
  return path(...name.split("/"));
}

function conditionHeaders(condition: WriteIf | undefined): Record<string, string> {
  if (condition === undefined) return {};
  return "ifMatch" in condition
    ? { "if-match": `"${condition.ifMatch}"` }
    : { "if-none-match": "*" };
}

/** Why files are replaced, as a header can carry it: JSON, escaped beyond ASCII. */
function replaceHeaders(reason: string | undefined): Record<string, string> {
  if (reason === undefined) return {};
  const said = JSON.stringify({ reason }).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return { "vitrail-replace": said };
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

class Http {
  readonly #base: string;
  readonly #fetch: Fetch;

  constructor(base: string, fetch: Fetch) {
    this.#base = base;
    this.#fetch = fetch;
  }

  async get<T>(path: string, call: CallOptions = {}): Promise<T> {
    return this.#json(await this.#ask(path, {}, call));
  }

  async send<T>(
    method: "POST" | "PATCH" | "PUT" | "DELETE",
    path: string,
    body: unknown,
    call?: CallOptions,
    condition?: WriteIf,
  ): Promise<T> {
    const headers: Record<string, string> = conditionHeaders(condition);
    if (body === undefined)
      return this.#json(await this.#ask(path, { method, headers }, call));
    headers["content-type"] = "application/json";
    const init = { method, headers, body: JSON.stringify(body) };
    return this.#json(await this.#ask(path, init, call));
  }

  async put<T>(
    path: string,
    content: string | Blob,
    condition: WriteIf,
    call?: CallOptions,
  ): Promise<T> {
    const body = { content, type: "application/octet-stream" };
    return this.upload("PUT", path, body, conditionHeaders(condition), call);
  }

  /** Send bytes of a type. */
  async upload<T>(
    method: "PUT" | "POST",
    path: string,
    body: { readonly content: string | Blob; readonly type: string },
    more: Readonly<Record<string, string>>,
    call?: CallOptions,
  ): Promise<T> {
    const headers = { ...more, "content-type": body.type };
    return this.#json(
      await this.#ask(path, { method, headers, body: body.content }, call),
    );
  }

  /** Ask for what answers nothing. */
  async ask(
    method: "POST" | "DELETE",
    path: string,
    about: { readonly condition?: WriteIf },
    call?: CallOptions,
  ): Promise<void> {
    await this.#ask(path, { method, headers: conditionHeaders(about.condition) }, call);
  }

  async delete(path: string, call: CallOptions = {}): Promise<void> {
    await this.#ask(path, { method: "DELETE" }, call);
  }

  async text(path: string, call: CallOptions = {}): Promise<FileText> {
    const response = await this.#ask(path, {}, call);
    const bytes = await response.arrayBuffer();
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        bytes,
      );
      const digest = (response.headers.get("etag") ?? "").replaceAll('"', "");
      return { text, digest };
    } catch (cause) {
      throw new ApiError({
        code: "not-text",
        detail: "This file is not UTF-8 text. It can be downloaded, not shown.",
        status: response.status,
        retryable: false,
        cause,
      });
    }
  }

  async #ask(path: string, init: RequestInit, call: CallOptions = {}): Promise<Response> {
    const whole: RequestInit = {
      ...init,
      headers: { accept: "application/json", ...init.headers },
      credentials: "same-origin",
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    };
    let response: Response;
    try {
      response = await this.#fetch(this.#base + path, whole);
    } catch (cause) {
      call.signal?.throwIfAborted();
      throw unreachable(cause);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  async #json<T>(response: Response): Promise<T> {
    try {
      // The server checked it by the types that T was generated from.
      return (await response.json()) as T;
    } catch (cause) {
      throw invalidResponse(response.status, cause);
    }
  }
}
