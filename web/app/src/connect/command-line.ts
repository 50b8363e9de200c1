/** A program and its arguments as one line: quotes keep words together, nothing is run. */

/** Returns the words of a line; none where a quote is left open. */
export function splitCommand(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (quote !== null) {
      if (char === quote) quote = null;
      else if (char === "\\" && quote === '"' && /["\\]/.test(line.charAt(at + 1))) {
        at += 1;
        word = (word ?? "") + line.charAt(at);
      } else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (char === "\\" && at + 1 < line.length) {
      at += 1;
      word = (word ?? "") + line.charAt(at);
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
}

/** Returns one line that `splitCommand` takes apart into the same words. */
export function joinCommand(words: readonly string[]): string {
  return words
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word)
        ? word
        : `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
    )
    .join(" ");
}
