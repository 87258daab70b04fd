import type { AuditRecord } from '@storefront/contracts';

/** Something that is counted for a day. */
export interface Limit {
  /** What is counted; it may hold an id or an address, so it is hashed before it is stored. */
  readonly key: string;
  /** So many entries a day are kept, whatever comes. */
  readonly free: number;
}

const free = { address: 500, account: 50, nobody: 500, person: 100 };

/**
 * What an entry counts against, so that nobody can fill the disk: what somebody does to their own account, what strangers
 * do to an account, and what comes from one address. The last one is what the entry concerns most closely. What
 * administrators and operators have done is always kept.
 */
export function limitsOf({ actor, about, action, outcome }: AuditRecord): readonly Limit[] {
  const isTrusted = ['admin', 'operator', 'system'].includes(actor.role);
  if (isTrusted && outcome === 'done') return [];
  // Each action has its own count, so that a hundred harmless ones hide no other.
  if (actor.userId !== null) return [{ key: `person ${actor.userId} ${action} ${outcome}`, free: free.person }];
  return [
    { key: `address ${actor.ip ?? ''}`, free: free.address },
    about === null
      ? { key: `nobody ${action} ${outcome}`, free: free.nobody }
      : { key: `account ${about} ${action} ${outcome}`, free: free.account },
  ];
}

interface Counted {
  readonly limit: Limit;
  /** The how-manieth of its day. */
  readonly count: number;
}

/**
 * Whether an entry is kept: all within the limits, and beyond them the 1st, 2nd, 4th, 8th and so on of what it concerns. A
 * million of a day are a few entries, of which the last says how many there were; and whoever has used up the limit of an
 * address is still seen at each account they go on to.
 */
export function isKept(counted: readonly Counted[]): boolean {
  const subject = counted.at(-1);
  return (
    subject === undefined || isPowerOfTwo(subject.count) || counted.every(({ limit, count }) => count <= limit.free)
  );
}

/** How many of what it concerns there were that day, where not each is kept; null where all are. */
export function attemptsOf(counted: readonly Counted[]): number | null {
  return counted.some(({ limit, count }) => count > limit.free) ? (counted.at(-1)?.count ?? null) : null;
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0;
}
