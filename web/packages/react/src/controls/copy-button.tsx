import { Check, Copy } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import { Button, IconButton } from "./button.tsx";

const SHOWN_MS = 1600;

/** Puts text on the clipboard; by way of a selection where there is no clipboard to write to. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** What a copy button needs; the text is asked for at the time of the press. */
interface CopyProps {
  readonly label: string;
  readonly text: () => string;
}

function useCopy(text: () => string): readonly [boolean, () => void] {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    await writeClipboard(text());
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return [isCopied, () => void copy()];
}

function CopyIcon(props: { readonly isCopied: boolean }): ReactElement {
  return props.isCopied ? (
    <Check size={16} aria-hidden />
  ) : (
    <Copy size={16} aria-hidden />
  );
}

/** Copies text and says so, as an icon. */
export function CopyButton(
  props: CopyProps & { readonly size?: "small" | "medium" },
): ReactElement {
  const strings = useStrings();
  const [isCopied, copy] = useCopy(props.text);
  return (
    <IconButton
      size={props.size ?? "small"}
      label={isCopied ? strings.action.copied : props.label}
      icon={<CopyIcon isCopied={isCopied} />}
      onClick={copy}
    />
  );
}

/** Copies text and says so, in words. */
export function CopyTextButton(props: CopyProps): ReactElement {
  const strings = useStrings();
  const [isCopied, copy] = useCopy(props.text);
  return (
    <Button variant="quiet" icon={<CopyIcon isCopied={isCopied} />} onClick={copy}>
      {isCopied ? strings.action.copied : props.label}
    </Button>
  );
}
