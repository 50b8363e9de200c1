/** A map that is copied at its first change; `result` is the original if none came. */
export class CopyMap<K, V> {
  readonly #base: ReadonlyMap<K, V>;
  #copy: Map<K, V> | null = null;

  constructor(base: ReadonlyMap<K, V>) {
    this.#base = base;
  }

  get(key: K): V | undefined {
    return this.result().get(key);
  }

  set(key: K, value: V): void {
    if (this.get(key) === value) return;
    this.#written().set(key, value);
  }

  delete(key: K): void {
    if (this.result().has(key)) this.#written().delete(key);
  }

  /** Delete every entry that the test holds for. */
  deleteWhere(holds: (value: V) => boolean): void {
    for (const [key, value] of [...this.result()]) if (holds(value)) this.delete(key);
  }

  result(): ReadonlyMap<K, V> {
    return this.#copy ?? this.#base;
  }

  #written(): Map<K, V> {
    this.#copy ??= new Map(this.#base);
    return this.#copy;
  }
}
