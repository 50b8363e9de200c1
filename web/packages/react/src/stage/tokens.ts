/** Coloured pieces of a text, in a form that crosses from a worker without copying. */

/** Tokens of a text in order; together they cover all of it. */
export interface Tokens {
  /** Where each token ends, in UTF-16 units, rising. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Index into `names` of each token. */
  readonly types: Uint8Array<ArrayBuffer>;
  /** Names of the token types; the first is plain text. */
  readonly names: readonly string[];
}

/** A piece of a line: the name of its type, empty for plain text. */
export interface Piece {
  readonly name: string;
  readonly text: string;
}

/** What is asked of the worker. */
export interface TokenRequest {
  readonly id: number;
  readonly text: string;
  readonly language: string;
}

/** What the worker answers. */
export interface TokenReply {
  readonly id: number;
  readonly tokens: Tokens;
}

/** Returns the index of the first token that ends behind `offset`. */
function firstBehind(ends: Uint32Array, offset: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the pieces of `[start, end)`; one search, then only what the range holds. */
export function piecesOf(
  text: string,
  tokens: Tokens,
  start: number,
  end: number,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = start;
  for (let token = firstBehind(tokens.ends, start); from < end; token += 1) {
    const to = Math.min(end, tokens.ends[token] ?? end);
    const name = tokens.names[tokens.types[token] ?? 0] ?? "";
    pieces.push({ name, text: text.slice(from, to) });
    from = to;
  }
  return pieces;
}

const LANGUAGES = new Map<string, string>([
  ["html", "markup"],
  ["htm", "markup"],
  ["svg", "markup"],
  ["xml", "markup"],
  ["css", "css"],
  ["js", "javascript"],
  ["mjs", "javascript"],
  ["jsx", "jsx"],
  ["ts", "typescript"],
  ["tsx", "tsx"],
  ["json", "json"],
  ["md", "markdown"],
  ["py", "python"],
  ["yml", "yaml"],
  ["yaml", "yaml"],
  ["sh", "bash"],
  ["sql", "sql"],
]);

/** Returns the language that a file's name says, or none where it is plain text to us. */
export function languageOfPath(path: string): string | null {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return LANGUAGES.get(extension) ?? null;
}
