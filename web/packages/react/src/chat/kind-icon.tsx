import {
  Braces,
  File,
  FileText,
  Globe,
  Image,
  LayoutTemplate,
  type LucideIcon,
  Palette,
  Presentation,
  Workflow,
} from "lucide-react";
import type { ReactElement } from "react";
import type { Strings } from "../strings/strings.tsx";

const ICONS = new Map<string, LucideIcon>([
  ["html", Globe],
  ["deck", Presentation],
  ["react-component", Braces],
  ["markdown-document", FileText],
  ["svg", Image],
  ["diagram", Workflow],
  ["code-snippet", Braces],
  ["mini-app", LayoutTemplate],
  ["design-system", Palette],
]);

/** The sign of an artifact's kind; a plain file for what has none. */
export function KindIcon(props: { readonly kind: string | null }): ReactElement {
  const Icon = ICONS.get(props.kind ?? "") ?? File;
  return <Icon size={16} aria-hidden className="shrink-0" />;
}

/** Returns the word for a kind; the plain word for one that this version does not know. */
export function kindName(strings: Strings, kind: string | null): string {
  const { kinds } = strings.files;
  return Object.hasOwn(kinds, kind ?? "")
    ? kinds[kind as keyof typeof kinds]
    : kinds.other;
}

const TYPE_KINDS: readonly (readonly [RegExp, string])[] = [
  [/svg/i, "svg"],
  [/mermaid/i, "diagram"],
  [/markdown|^md$/i, "markdown-document"],
  [/react|jsx|tsx/i, "react-component"],
  [/html/i, "html"],
];

/** Returns the kind that a tag's type suggests, for the sign while nothing is saved yet. */
export function kindOfType(artifactType: string): string | null {
  return TYPE_KINDS.find(([pattern]) => pattern.test(artifactType))?.[1] ?? null;
}
