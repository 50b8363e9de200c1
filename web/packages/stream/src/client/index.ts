export {
  type Api,
  type ApiOptions,
  type CallOptions,
  createApi,
  type FileText,
  type WriteIf,
} from "./api.ts";
export type { Connection, Sink } from "./connection.ts";
export { ApiError, type ApiErrorFields } from "./errors.ts";
export { browserEvents, type EventClient, type EventOptions } from "./events.ts";
export {
  type Boot,
  createWorkspace,
  type Workspace,
  type WorkspaceParts,
  type WorkspaceView,
} from "./store.ts";
export type { Surroundings } from "./surroundings.ts";
