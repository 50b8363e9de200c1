/** Components of the workspace: they draw what they are given and keep no state of the app. */

export { ArtifactCard, type CardActions } from "./chat/artifact-card.tsx";
export {
  AssistantMessage,
  type MessageActions,
  type MessageEnd,
} from "./chat/assistant-message.tsx";
export { type CardState, cardStateOf, cardWords } from "./chat/card-state.ts";
export { Composer, type ComposerMode, type Suggestion } from "./chat/composer.tsx";
export { DiagnosticsList } from "./chat/diagnostics-list.tsx";
export { DirectedText } from "./chat/directed-text.tsx";
export { useLineCount } from "./chat/growing.ts";
export { KindIcon, kindName } from "./chat/kind-icon.tsx";
export { ShownFold, type ShownState } from "./chat/shown.tsx";
export { ThreadView } from "./chat/thread-view.tsx";
export { UserMessage } from "./chat/user-message.tsx";
export { Button, IconButton, IconLink, LinkButton } from "./controls/button.tsx";
export { CopyButton } from "./controls/copy-button.tsx";
export { cx } from "./controls/cx.ts";
export { Dialog } from "./controls/dialog.tsx";
export { FIELD, TextField } from "./controls/field.tsx";
export {
  Menu,
  MenuChoices,
  MenuItem,
  MenuLink,
  MenuSeparator,
} from "./controls/menu.tsx";
export { Notice, type NoticeTone, Strip } from "./controls/notice.tsx";
export {
  EmptyState,
  ErrorBoundary,
  Skeleton,
  useLater,
  ViewError,
} from "./controls/states.tsx";
export { type Tab, Tabs } from "./controls/tabs.tsx";
export { Tooltip, TooltipProvider } from "./controls/tooltip.tsx";
export {
  type FileRow,
  folderOf,
  supportingPaths,
  type TreeRow,
  treeRows,
} from "./files/file-rows.ts";
export { FileTree, type FileTreeActions } from "./files/file-tree.tsx";
export {
  type Answers,
  type ChosenFiles,
  type Drafts,
  type FormUse,
  QuestionForm,
  readForm,
  type SendFault,
} from "./form/index.ts";
export { AuthorSign } from "./history/author-sign.tsx";
export { type BlameBlock, blameBlocks } from "./history/blame-lines.ts";
export { ConflictNotice, ConflictView } from "./history/conflict-view.tsx";
export { countsOf } from "./history/diff-rows.ts";
export { DiffView } from "./history/diff-view.tsx";
export { DraftNotice, isInPlace } from "./history/draft-notice.tsx";
export { LostList } from "./history/lost-list.tsx";
export { RevisionList } from "./history/revision-list.tsx";
export {
  DEFAULT_LAYOUT,
  type PaneLayout,
  type PaneMode,
  Panes,
} from "./layout/panes.tsx";
export { Splitter } from "./layout/splitter.tsx";
export { useMedia, usePaneMode } from "./layout/use-media.ts";
export { useWidth } from "./layout/use-width.ts";
export { Markdown } from "./markdown/markdown.tsx";
export { CommandPalette, type PaletteCommand } from "./palette/command-palette.tsx";
export {
  type LinkMessage,
  type PreviewApi,
  type PreviewEntry,
  PreviewFrame,
  type PreviewState,
  type PreviewTarget,
  type UsedPreview,
  usePreview,
} from "./preview/index.ts";
export { type BlameGutter, SourceView } from "./stage/source-view.tsx";
export { TextEditor } from "./stage/text-editor.tsx";
export { en } from "./strings/en.ts";
export { type Strings, StringsProvider, useStrings } from "./strings/strings.tsx";
