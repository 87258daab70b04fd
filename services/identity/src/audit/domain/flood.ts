import type { AuditRecord } from '@storefront/contracts';

/** A count for a day, and its limit. */
export interface Limit {
  /** What is counted; it may hold an id or an address, so it is hashed before it is stored. */
  readonly key: string;
  /** How many entries a day are kept in any case. */
  readonly free: number;
}

const free = { address: 500, account: 50, nobody: 500, person: 100 };

/**
 * The limits that an entry counts against, so that nobody can fill the disk: actions of a user on their own account, actions of
 * strangers on an account, and actions from one address. The last limit is the most specific one. Completed actions of
 * administrators and operators have no limit.
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
  /** The entry's number within the day, from 1. */
  readonly count: number;
}

/**
 * Whether an entry is kept: each one within the limits; beyond them the 1st, 2nd, 4th, 8th and so on of its most specific limit.
 * So a million attempts in a day leave a few entries, of which the last one has the number; and somebody who has used up the
 * limit of their address still leaves an entry at each account.
 */
export function isKept(counted: readonly Counted[]): boolean {
  const subject = counted.at(-1);
  return (
    subject === undefined || isPowerOfTwo(subject.count) || counted.every(({ limit, count }) => count <= limit.free)
  );
}

/** How many entries the most specific limit has had that day, where some were left out; null where all are kept. */
export function attemptsOf(counted: readonly Counted[]): number | null {
  return counted.some(({ limit, count }) => count > limit.free) ? (counted.at(-1)?.count ?? null) : null;
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0;
}
