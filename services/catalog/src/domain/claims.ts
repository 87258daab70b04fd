/** A unique value, such as a slug, and the id of the category or product that has it. */
export interface Claim {
  readonly value: string;
  readonly owner: string;
}

/** The owners of unique values. Only values that were looked up before may be checked or taken. */
export interface Claims {
  ownerOf(value: string): string | undefined;
  /** Whether no one else has the value: it is free, or `owner` has it already. */
  isFree(value: string, owner: string): boolean;
  /** Takes the first candidate that is free for `owner`, and returns it; undefined if none is free. */
  take(candidates: readonly string[], owner: string): string | undefined;
  /** Makes the value free again, if it belongs to `owner`. */
  release(value: string, owner: string): void;
  /** The values that were taken and are not stored yet. */
  readonly taken: readonly Claim[];
  /** The values that were released and are still stored. */
  readonly released: readonly Claim[];
}

export function createClaims(stored: readonly Claim[]): Claims {
  const owners = new Map(stored.map(({ value, owner }) => [value, owner]));
  const taken = new Map<string, Claim>();
  const released = new Map<string, Claim>();
  const isFree = (value: string, owner: string) => (owners.get(value) ?? owner) === owner;
  return {
    ownerOf: (value) => owners.get(value),
    isFree,
    take(candidates, owner) {
      const free = candidates.find((value) => isFree(value, owner));
      if (free === undefined || owners.has(free)) return free;
      owners.set(free, owner);
      taken.set(free, { value: free, owner });
      return free;
    },
    release(value, owner) {
      if (owners.get(value) !== owner) return;
      owners.delete(value);
      if (!taken.delete(value)) released.set(value, { value, owner });
    },
    get taken() {
      return [...taken.values()];
    },
    get released() {
      return [...released.values()];
    },
  };
}
