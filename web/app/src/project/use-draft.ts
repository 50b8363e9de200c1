import { useCallback, useState } from "react";

const PREFIX = "vitrail:draft:";

function read(key: string): string {
  try {
    return sessionStorage.getItem(PREFIX + key) ?? "";
  } catch {
    return "";
  }
}

function write(key: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // Without a storage a draft lives as long as its page.
  }
}

/** Returns the unsent text of a place, which survives a reload, and the way to change it. */
export function useDraft(key: string): readonly [string, (text: string) => void] {
  const [draft, setDraft] = useState(() => ({ key, text: read(key) }));
  if (draft.key !== key) setDraft({ key, text: read(key) });
  const change = useCallback(
    (text: string) => {
      setDraft({ key, text });
      write(key, text);
    },
    [key],
  );
  return [draft.key === key ? draft.text : "", change];
}
