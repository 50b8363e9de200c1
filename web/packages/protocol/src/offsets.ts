/**
 * The one converter between the wire's offsets and JavaScript's.
 *
 * Everything on the wire counts Unicode code points; JavaScript strings count UTF-16
 * code units. They differ after every character beyond U+FFFF (emoji, rare Han).
 *
 * Strategy: one pass notes where those characters stand; a conversion is then a binary
 * search among them. A text without any costs nothing but the pass. A lone surrogate is
 * one code point, as it is in Python.
 */
export class Offsets {
  /** Length of the text in code points. */
  readonly codePoints: number;
  /** Length of the text in UTF-16 code units. */
  readonly units: number;
  /** Code point offsets of the characters that take two units, rising. */
  readonly #wide: readonly number[];

  constructor(text: string) {
    const wide: number[] = [];
    for (let unit = 0; unit < text.length; unit += 1) {
      if (!isPairAt(text, unit)) continue;
      wide.push(unit - wide.length);
      unit += 1;
    }
    this.#wide = wide;
    this.units = text.length;
    this.codePoints = text.length - wide.length;
  }

  /** UTF-16 offset of a code point offset. Throws RangeError outside `[0, codePoints]`. */
  toUnits(codePoint: number): number {
    requireOffset(codePoint, this.codePoints, "code point");
    return codePoint + countBelow(this.#wide, (wide) => wide < codePoint);
  }

  /**
   * Code point offset of a UTF-16 offset; the middle of a pair counts as its start.
   * Throws RangeError outside `[0, units]`.
   */
  toCodePoints(unit: number): number {
    requireOffset(unit, this.units, "UTF-16");
    // the i-th wide character begins at unit `wide + i` and ends two units later
    const ended = countBelow(this.#wide, (wide, index) => wide + index + 2 <= unit);
    const inside = (this.#wide[ended] ?? Number.POSITIVE_INFINITY) + ended + 1 === unit;
    return unit - ended - (inside ? 1 : 0);
  }

  /** The half-open UTF-16 range of a half-open code point span. */
  toUnitRange(span: readonly [number, number]): readonly [number, number] {
    return [this.toUnits(span[0]), this.toUnits(span[1])];
  }
}

/** Number of code points of a text, without building a converter. */
export function codePointLength(text: string): number {
  let pairs = 0;
  for (let unit = 0; unit < text.length; unit += 1) {
    if (!isPairAt(text, unit)) continue;
    pairs += 1;
    unit += 1;
  }
  return text.length - pairs;
}

/** The part of a text that a half-open code point span covers. */
export function sliceCodePoints(text: string, span: readonly [number, number]): string {
  return text.slice(...new Offsets(text).toUnitRange(span));
}

function isPairAt(text: string, unit: number): boolean {
  const high = text.charCodeAt(unit);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(unit + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

function requireOffset(value: number, max: number, name: string): void {
  if (Number.isInteger(value) && value >= 0 && value <= max) return;
  throw new RangeError(`expected a ${name} offset from 0 to ${max}, got ${value}`);
}

/** How many leading items the test holds for; it must hold for a prefix only. */
function countBelow(
  items: readonly number[],
  holds: (item: number, index: number) => boolean,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] ?? 0, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
