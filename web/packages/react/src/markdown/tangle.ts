/** Text on which a Markdown parser would spend far more time than it is worth. */

const MAX_NESTING = 24;
const MAX_OPENERS = 1500;
const NESTED_MARKS = new RegExp(
  `^[ \\t]*(?:(?:>|[-+*]|\\d{1,9}[.)])[ \\t]*){${MAX_NESTING}}`,
  "m",
);

/**
 * Returns true for text whose brackets, emphasis marks or nesting no person
 * wrote: it is shown as it is. Parsers look back from every closing mark, so
 * thousands of openers in one block cost quadratic time, and deep nesting
 * costs the stack.
 */
export function isTangled(text: string): boolean {
  let openers = 0;
  for (const char of text) {
    if (char === "[" || char === "*" || char === "_" || char === "<" || char === "~") {
      openers += 1;
    }
  }
  return openers > MAX_OPENERS || NESTED_MARKS.test(text);
}
