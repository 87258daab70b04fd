import { ConflictError } from '@storefront/client';

interface Difference {
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Conflict {
  readonly differences: readonly Difference[];
  readonly choose: (mine: ReadonlySet<string> | null) => void;
}

let show: ((conflict: Conflict) => void) | undefined;

/** Says who shows conflicts from now on, and has somebody choose. */
export function onConflict(next: (conflict: Conflict) => void): void {
  show = next;
}

type Save<State, Change> = (change: Change, of: State) => Promise<State>;

/**
 * Saves a change of what was read as `read`. Where somebody else has changed it meanwhile, shows both for each field that
 * both have changed, and saves what is chosen on top of theirs. Returns null where one rather keeps theirs. `partOf` is the part
 * that has the fields, where the change is not about all of it.
 */
export async function saveOver<State extends object, Change extends object>(
  read: State,
  change: Change,
  save: Save<State, Change>,
  partOf: (state: State) => object = (state) => state,
): Promise<State | null> {
  try {
    return await save(change, read);
  } catch (error) {
    if (!(error instanceof ConflictError) || !error.current || !show) throw error;
    return saveOnTop(read, error.current as State, change, save, partOf);
  }
}

/**
 * Saves on top of `now` a change that was typed over `before`, as `saveOver` does. For what was read in a list, of which nobody
 * knows the version, and then once more.
 */
export async function saveOnTop<State extends object, Change extends object>(
  before: State,
  now: State,
  change: Change,
  save: Save<State, Change>,
  partOf: (state: State) => object = (state) => state,
): Promise<State | null> {
  const [was, is] = [partOf(before), partOf(now)];
  const changed = Object.keys(change).filter((field) => !isSame(valueOf(is, field), valueOf(was, field)));
  const differences = changed
    .map((field) => ({ field, mine: valueOf(change, field), theirs: valueOf(is, field) }))
    .filter(({ mine, theirs }) => !isSame(mine, theirs));
  // Nothing that both have changed otherwise: both changes hold.
  const mine =
    differences.length === 0
      ? new Set<string>()
      : await new Promise<ReadonlySet<string> | null>((choose) => show?.({ differences, choose }));
  if (mine === null) return null;
  const kept = Object.entries(change).filter(([field]) => !changed.includes(field) || mine.has(field));
  return kept.length === 0 ? now : saveOver(now, Object.fromEntries(kept) as Change, save, partOf);
}

/** What of `after` differs from `before`: only that is sent, so that two people can change different fields. */
export function changesOf<Body extends object>(before: Body, after: Body): Partial<Body> {
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, valueOf(before, name)));
  return Object.fromEntries(changed) as Partial<Body>;
}

const valueOf = (state: object, field: string): unknown => (state as Readonly<Record<string, unknown>>)[field];
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
