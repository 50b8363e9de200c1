/** Previews: the sandboxed frame, the line to it, and what keeps it alive. */

export { PREVIEW_SANDBOX } from "./document-frame.tsx";
export { PreviewPort, type PreviewPortEvents, type RefusedCounts } from "./port.ts";
export { PreviewFrame, type PreviewFrameProps } from "./preview-frame.tsx";
export { canReachPreview } from "./reach.ts";
export type { LinkMessage, PreviewApi, PreviewEntry, PreviewState } from "./types.ts";
export { type PreviewTarget, type UsedPreview, usePreview } from "./use-preview.ts";
