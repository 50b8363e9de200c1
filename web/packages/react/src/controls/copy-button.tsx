import { Check, Copy } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import { IconButton } from "./button.tsx";

const SHOWN_MS = 1600;

/** Copies text and says so; the text is asked for at the time of the press. */
export function CopyButton(props: {
  readonly label: string;
  readonly text: () => string;
  readonly size?: "small" | "medium";
}): ReactElement {
  const strings = useStrings();
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(props.text());
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <IconButton
      size={props.size ?? "small"}
      label={isCopied ? strings.action.copied : props.label}
      icon={isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      onClick={() => void copy()}
    />
  );
}
