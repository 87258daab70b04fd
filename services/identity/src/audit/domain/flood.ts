import { isStaff, type AuditRecord } from '@storefront/contracts';

/** The name of a daily count, and its limit. */
export interface Limit {
  /** Says what is counted. The key may contain an id or an address, so it is hashed before it is stored. */
  readonly key: string;
  /** How many entries a day are always kept. */
  readonly free: number;
}

const free = { address: 500, account: 50, nobody: 500, person: 100 };

/**
 * The limits that an entry counts against, so that nobody can fill the disk. There are limits for actions of a user on
 * their own account, for actions of strangers on an account, and for actions from one address. The last limit returned
 * is the most specific one. Completed actions of staff and operators have no limit.
 */
export function limitsOf({ actor, about, action, outcome }: AuditRecord): readonly Limit[] {
  const isTrusted = isStaff(actor.role) || ['program', 'operator', 'system'].includes(actor.role);
  if (isTrusted && outcome === 'done') return [];
  // Each action has its own count, so that a hundred harmless actions do not hide an action of another kind.
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
 * Whether an entry is kept. Within the limits each entry is kept. Beyond a limit, only the 1st, 2nd, 4th, 8th and so on
 * within the most specific limit are kept. So a million attempts in a day leave only a few entries, and the last of
 * them says how many there were. Even after an address has reached its limit, its attempts leave an entry at each
 * account.
 */
export function isKept(counted: readonly Counted[]): boolean {
  const subject = counted.at(-1);
  return (
    subject === undefined || isPowerOfTwo(subject.count) || counted.every(({ limit, count }) => count <= limit.free)
  );
}

/** How many entries counted against the most specific limit that day; null where no entry was left out. */
export function attemptsOf(counted: readonly Counted[]): number | null {
  return counted.some(({ limit, count }) => count > limit.free) ? (counted.at(-1)?.count ?? null) : null;
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0;
}
