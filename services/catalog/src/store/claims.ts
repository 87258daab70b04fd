import type { Transaction } from '@storefront/outbox';
import type { Claim, Collection } from './collections.ts';

/** Unique values as a transaction sees them, and takes them. */
export interface Claims {
  /** Who has the value, or undefined. */
  ownerOf(value: string): string | undefined;
  /** Whether `owner` may take it: nobody else has it. */
  isFree(value: string, owner: string): boolean;
  take(value: string, owner: string): void;
  /** Writes what was taken. Two who take a value at once collide here: the later one starts again, and finds it taken. */
  write(): Promise<void>;
}

/** Looks up who has which of the values; only these may be asked for and taken. */
export async function readClaims(
  claims: Collection<Claim>,
  values: readonly string[],
  { session }: Transaction,
): Promise<Claims> {
  const found = values.length === 0 ? [] : await claims.find({ _id: { $in: [...values] } }, { session }).toArray();
  const owners = new Map(found.map(({ _id, owner }) => [_id, owner]));
  const taken: Claim[] = [];
  return {
    ownerOf: (value) => owners.get(value),
    isFree: (value, owner) => (owners.get(value) ?? owner) === owner,
    take(value, owner) {
      if (owners.has(value)) return;
      owners.set(value, owner);
      taken.push({ _id: value, owner });
    },
    async write() {
      if (taken.length > 0) await claims.insertMany(taken, { session });
    },
  };
}

/** Takes one value for `owner`; throws what `taken` makes where somebody else has it. Taking it again is fine. */
export async function claim(
  claims: Collection<Claim>,
  value: string,
  owner: string,
  taken: () => Error,
  transaction: Transaction,
): Promise<void> {
  const known = await readClaims(claims, [value], transaction);
  if (!known.isFree(value, owner)) throw taken();
  known.take(value, owner);
  await known.write();
}

/** Takes the first of the candidates that nobody else has; the last one must be free. */
export async function claimFirst(
  claims: Collection<Claim>,
  candidates: readonly string[],
  owner: string,
  transaction: Transaction,
): Promise<string> {
  const known = await readClaims(claims, candidates, transaction);
  const free = firstFree(known, candidates, owner);
  known.take(free, owner);
  await known.write();
  return free;
}

export function firstFree(claims: Claims, candidates: readonly string[], owner: string): string {
  const free = candidates.find((candidate) => claims.isFree(candidate, owner));
  if (free === undefined) throw new Error('the last candidate of a slug must be free');
  return free;
}

/** Gives the values back, as far as `owner` has them. */
export async function release(
  claims: Collection<Claim>,
  values: readonly string[],
  owner: string,
  { session }: Transaction,
): Promise<void> {
  await claims.deleteMany({ _id: { $in: [...values] }, owner }, { session });
}
