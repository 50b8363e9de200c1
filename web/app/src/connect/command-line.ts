/** A program and its arguments as one line: quotes keep words together, nothing is run. */

/** One piece of a word: quoted, escaped or bare; or the blank between two words. */
const PIECE = /\s+|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])|([^\s"'\\]+)/y;

/** Returns the words of a line; none where a quote or an escape is left open. */
export function splitCommand(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < line.length) {
    const found = PIECE.exec(line);
    if (found === null) return null;
    const [, double, single, escaped, bare] = found;
    const piece = double?.replace(/\\(["\\])/g, "$1") ?? single ?? escaped ?? bare;
    if (piece !== undefined) word = (word ?? "") + piece;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
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
