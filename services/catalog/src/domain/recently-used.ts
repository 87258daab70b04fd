/** Values by their keys, as many as together weigh `most`. Beyond that, those that were used longest ago are forgotten. */
export class RecentlyUsed<Value> {
  /** The one that was used longest ago is the first. */
  readonly #values = new Map<string, Value>();
  readonly #most: number;
  readonly #weightOf: (value: Value) => number;
  #weight = 0;

  constructor(most: number, weightOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#weightOf = weightOf;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#forget(key);
    this.#values.set(key, value);
    this.#weight += this.#weightOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#most) return;
      this.#forget(oldest);
    }
  }

  clear(): void {
    this.#values.clear();
    this.#weight = 0;
  }

  #forget(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#weight -= this.#weightOf(value);
  }
}
