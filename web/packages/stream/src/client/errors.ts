import type { Diagnostic, Problem } from "@vitrail/protocol";

/** Why a call of the API did not go through, as the server's problem document says it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /**
   * The server's kebab-case code; `server-unreachable` where there was no answer, and
   * `response-invalid` where something else answered in its place.
   */
  readonly code: string;
  /** For people: what happened, what was kept, what to do. */
  readonly detail: string;
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Whether the same call may go through later without a change. */
  readonly retryable: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly details: Readonly<Record<string, unknown>>;
  /** Of a stale write: the digest that the file has; none: there is no such file. */
  readonly actualDigest: string | null;
  /** How long the server asked to wait, in seconds. */
  readonly retryAfterS: number | null;

  constructor(told: ApiErrorFields) {
    super(told.detail, told.cause === undefined ? {} : { cause: told.cause });
    this.code = told.code;
    this.detail = told.detail;
    this.status = told.status;
    this.retryable = told.retryable;
    this.diagnostics = told.diagnostics ?? [];
    this.details = told.details ?? {};
    this.actualDigest = told.actualDigest ?? null;
    this.retryAfterS = told.retryAfterS ?? null;
  }
}

/** What an `ApiError` is made of. */
export interface ApiErrorFields {
  readonly code: string;
  readonly detail: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly diagnostics?: readonly Diagnostic[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly actualDigest?: string | null;
  readonly retryAfterS?: number | null;
  readonly cause?: unknown;
}

/** The error for a call that got no answer. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError({
    code: "server-unreachable",
    detail:
      "Vitrail's server does not answer. What was saved is safe; it may be starting.",
    status: 0,
    retryable: true,
    cause,
  });
}

/** The error for an answer that is not this server's. */
export function invalidResponse(status: number, cause?: unknown): ApiError {
  return new ApiError({
    code: "response-invalid",
    detail: `Something other than Vitrail's server answered (status ${status}).`,
    status,
    retryable: status >= 500,
    cause,
  });
}

/** Read the error out of a response that is not a success. */
export async function errorOf(response: Response): Promise<ApiError> {
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    return invalidResponse(response.status, cause);
  }
  if (!isProblem(body)) return invalidResponse(response.status);
  return new ApiError({
    code: body.code,
    detail: body.detail,
    status: response.status,
    retryable: body.retryable ?? false,
    diagnostics: body.diagnostics ?? [],
    details: body.details ?? {},
    actualDigest: body.actualDigest ?? null,
    retryAfterS: retryAfterOf(response),
  });
}

function isProblem(
  value: unknown,
): value is Pick<Problem, "code" | "detail"> & Partial<Problem> {
  if (typeof value !== "object" || value === null) return false;
  return (
    "code" in value &&
    typeof value.code === "string" &&
    "detail" in value &&
    typeof value.detail === "string"
  );
}

function retryAfterOf(response: Response): number | null {
  const header = response.headers.get("retry-after");
  return header !== null && /^[0-9]{1,6}$/.test(header) ? Number(header) : null;
}
