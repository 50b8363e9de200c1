/** Text to coloured tokens, flat and packed. Runs in the worker. */

import { Prism } from "./prism-languages.ts";
import type { Tokens } from "./tokens.ts";

interface Nested {
  readonly type: string;
  readonly content: string | Nested | readonly (string | Nested)[];
}

const MAX_NAMES = 255;

/** Returns the tokens of a text; all plain where the language is not known. */
export function tokenise(text: string, language: string): Tokens {
  const names: string[] = [""];
  const index = new Map<string, number>([["", 0]]);
  const ends: number[] = [];
  const types: number[] = [];
  let offset = 0;

  const typeOf = (name: string): number => {
    const known = index.get(name);
    if (known !== undefined) return known;
    if (names.length >= MAX_NAMES) return 0;
    names.push(name);
    index.set(name, names.length - 1);
    return names.length - 1;
  };
  const add = (value: string, name: string): void => {
    if (value === "") return;
    const type = typeOf(name);
    offset += value.length;
    const last = ends.length - 1;
    if (last >= 0 && types[last] === type) ends[last] = offset;
    else {
      ends.push(offset);
      types.push(type);
    }
  };
  const walk = (node: Nested["content"], name: string): void => {
    if (typeof node === "string") add(node, name);
    else if (Array.isArray(node)) for (const child of node) walk(child, name);
    else {
      const nested = node as Nested;
      walk(nested.content, nested.type);
    }
  };

  const grammar = Prism.languages[language];
  if (grammar === undefined) add(text, "");
  else walk(Prism.tokenize(text, grammar) as readonly (string | Nested)[], "");
  return { ends: Uint32Array.from(ends), types: Uint8Array.from(types), names };
}
