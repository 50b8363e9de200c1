/** Where the lines of a growing text begin; only what is new is read. */
export class LineIndex {
  #text = "";
  #starts: number[] = [0];

  /** Reads on; a text that does not continue the last one is read anew. */
  update(text: string): void {
    const before = this.#text;
    const tail = Math.max(0, before.length - 64);
    const goesOn =
      text.length >= before.length &&
      text.slice(tail, before.length) === before.slice(tail);
    if (!goesOn) this.#starts = [0];
    let at = text.indexOf("\n", goesOn ? before.length : 0);
    while (at !== -1) {
      this.#starts.push(at + 1);
      at = text.indexOf("\n", at + 1);
    }
    this.#text = text;
  }

  /** Number of lines; a line break at the very end begins no further one. */
  get count(): number {
    const { length } = this.#starts;
    if (this.#text === "") return 0;
    return this.#starts[length - 1] === this.#text.length ? length - 1 : length;
  }

  /** Returns the half-open range of a line in UTF-16 units, its line break left out. */
  range(line: number): readonly [number, number] {
    const start = this.#starts[line] ?? this.#text.length;
    const next = this.#starts[line + 1];
    let end = next === undefined ? this.#text.length : next - 1;
    if (end > start && this.#text.charCodeAt(end - 1) === 13) end -= 1;
    return [start, end];
  }

  /** Returns a line without its line break. */
  line(line: number): string {
    return this.#text.slice(...this.range(line));
  }
}
