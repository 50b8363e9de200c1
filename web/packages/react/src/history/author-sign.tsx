import type { Revision } from "@vitrail/protocol";
import { Bot, HardDrive, type LucideIcon, RefreshCw, Undo2, User } from "lucide-react";
import type { ReactElement } from "react";
import { cx } from "../controls/cx.ts";
import { useStrings } from "../strings/strings.tsx";

const ICONS: Readonly<Record<Revision["author"], LucideIcon>> = {
  model: Bot,
  person: User,
  refresh: RefreshCw,
  outside: HardDrive,
  restore: Undo2,
};

/** Who made a revision: the sign and the word. */
export function AuthorSign(props: {
  readonly author: Revision["author"];
  /** Only the sign is seen; the word is read aloud and shown on hover. */
  readonly isBare?: boolean;
  readonly className?: string;
}): ReactElement {
  const strings = useStrings();
  const Icon = ICONS[props.author];
  const word = strings.history.authors[props.author];
  return (
    <span
      className={cx("inline-flex min-w-0 items-center gap-1", props.className)}
      title={props.isBare ? word : undefined}
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      <span className={props.isBare ? "sr-only" : "truncate"}>{word}</span>
    </span>
  );
}
