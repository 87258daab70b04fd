import type { AuditRecord } from '@storefront/contracts';

/** Something that is counted for a day. */
export interface Limit {
  /** What is counted; it may hold an id or an address, so it is hashed before it is stored. */
  readonly key: string;
  /** So many entries a day are kept, whatever comes. */
  readonly free: number;
}

const free = { address: 200, account: 50, nobody: 500, person: 100 };

/**
 * What an entry counts against, so that nobody can fill the disk: what somebody does to their own account, what strangers
 * do to an account, and what comes from one address. What administrators and operators have done is always kept.
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

/**
 * Whether an entry is kept that is the `count`th of its day: all up to the limit, then the 64th, 128th, 256th and so on of
 * each. A million of a day are a few entries more, and the last of them says how many there were.
 */
export function isKept(counted: readonly { readonly limit: Limit; readonly count: number }[]): boolean {
  return counted.every(({ limit, count }) => count <= limit.free || isPowerOfTwo(count));
}

/** How many there were that day, where not each is kept; null where all are. */
export function attemptsOf(counted: readonly { readonly limit: Limit; readonly count: number }[]): number | null {
  const over = counted.filter(({ limit, count }) => count > limit.free);
  return over.length === 0 ? null : Math.max(...over.map(({ count }) => count));
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0;
}
