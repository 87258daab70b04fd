type Column = Uint8Array | Uint32Array | Float64Array;

/** Returns the column itself if it has at least `length` places, or else a longer copy of it. */
export function withRoom<Of extends Column>(column: Of, length: number): Of {
  if (column.length >= length) return column;
  const longer = new (column.constructor as new (length: number) => Of)(Math.max(length, column.length * 2, 64));
  longer.set(column);
  return longer;
}

/** Numbers in a row, to which numbers are added at the end. */
export class NumberList {
  #values = new Uint32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The numbers, with unused places at the end. Valid until the next number is added. */
  get values(): Uint32Array {
    return this.#values;
  }

  add(value: number): void {
    this.#values = withRoom(this.#values, this.#length + 1);
    this.#values[this.#length] = value;
    this.#length += 1;
  }
}
