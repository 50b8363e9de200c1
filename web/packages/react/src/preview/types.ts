import type {
  BlockedMessage,
  ConsoleMessage,
  DroppedMessage,
  ErrorMessage,
  LinkMessage,
} from "@vitrail/bridge/messages";
import type { PreviewInfo } from "@vitrail/protocol";
import type { RefusedCounts } from "./port.ts";

/** What a preview is doing. */
export type PreviewState =
  /** There is nothing to show. */
  | { readonly kind: "empty" }
  /** A document is on its way; the one before it stays visible meanwhile. */
  | { readonly kind: "loading" }
  /** The document is shown. */
  | { readonly kind: "ready"; readonly title: string; readonly usesFallback: boolean }
  /** The page has stopped answering: a loop, or very long work. Offer a reload. */
  | { readonly kind: "busy" }
  /** The page left its own document, by itself. What it shows now is not the file. */
  | { readonly kind: "left" }
  /** Nobody kept the address alive, or the file is gone. Open the preview again. */
  | { readonly kind: "expired" }
  /** Something loaded that is no preview document: the site did not answer. */
  | { readonly kind: "unreachable" };

/** What the console drawer lists of a page. */
export type PreviewEntry =
  | ConsoleMessage
  | ErrorMessage
  | BlockedMessage
  | DroppedMessage
  | ({ readonly type: "refused" } & RefusedCounts);

/** What the workspace does with previews over HTTP. */
export interface PreviewApi {
  readonly open: (projectId: string, path: string) => Promise<PreviewInfo>;
  /** False where the preview is closed for good; a rejection is tried again. */
  readonly keep: (capability: string) => Promise<boolean>;
  readonly drop: (capability: string) => void;
}

export type { LinkMessage, PreviewInfo };
