import {
  changed,
  controlChanges,
  http,
  identityErrors,
  unchanged,
  type Decision,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { emailOf, type User } from '../../domain/user.ts';
import { storedFactors, type Factors } from './factors.ts';

export type ControlChangeKind = (typeof controlChanges)[number];

/** The factors of a user, without the counts of tries. */
const keptFactors = storedFactors.pick({ totp: true, passkeys: true, recoveryCodes: true });
export type KeptFactors = StateOf<typeof keptFactors>;

/** A change of who controls an account. For 7 days the change can be undone by the link in the mail about it. */
const controlChange = z.object({
  /** The hash of the code in the link. */
  id: z.string(),
  kind: z.enum(controlChanges),
  /**
   * The email and the factors, which control an account. The password is left out: the person who made a change may
   * know it.
   */
  before: http.emailForms.extend({ factors: keptFactors.nullable() }),
  createdAt: z.date(),
  expiresAt: z.date(),
});
export type ControlChange = StateOf<typeof controlChange>;

/** The changes of one user that can be undone, the oldest first. The oldest one has the state before all of them. */
export const controlHistory = z.object({
  /** The user's id. */
  id: z.string(),
  changes: z.array(controlChange),
  /** When the last change expires. */
  expiresAt: z.date(),
});
export type ControlHistory = StateOf<typeof controlHistory>;

const controlRules = {
  lifetimeMs: 7 * 24 * 60 * 60 * 1000,
  /** How many changes of a user can be undone at a time. A newer change never replaces an older one. */
  perUser: 25,
} as const;

/** These changes lock thieves out, so they are made even beyond the limit. Beyond the limit no link can undo them. */
const madeWithoutRoom: ReadonlySet<ControlChangeKind> = new Set([
  'password-changed',
  'totp-removed',
  'passkey-removed',
]);

export function openChanges(history: ControlHistory | null, now: Date): readonly ControlChange[] {
  return history?.changes.filter(({ expiresAt }) => expiresAt > now) ?? [];
}

/** Throws `too_many_control_changes` where no further change of the user could be undone. */
export function assertRoomForChange(open: readonly ControlChange[], now: Date): void {
  const [earliest] = open;
  if (!earliest || open.length < controlRules.perUser) return;
  const retryAfterSeconds = (earliest.expiresAt.getTime() - now.getTime()) / 1000;
  throw identityErrors.tooManyControlChanges().with({ retryAfterSeconds });
}

/** A change that is made now, with the state of the account before it. */
export function newChange(
  linkHash: string,
  kind: ControlChangeKind,
  { user, factors }: { readonly user: User; readonly factors: Factors | null },
  now: Date,
): ControlChange {
  const kept = factors && { totp: factors.totp, passkeys: factors.passkeys, recoveryCodes: factors.recoveryCodes };
  const expiresAt = new Date(now.getTime() + controlRules.lifetimeMs);
  return { id: linkHash, kind, before: { ...emailOf(user), factors: kept }, createdAt: now, expiresAt };
}

/**
 * Records the change. Returns whether a link can undo the change. Beyond the limit, returns false for a change that
 * locks thieves out, and throws `too_many_control_changes` for any other change.
 */
export function recordChange(
  current: ControlHistory | null,
  userId: string,
  change: ControlChange,
): Decision<ControlHistory, boolean> {
  const open = openChanges(current, change.createdAt);
  if (open.length >= controlRules.perUser && madeWithoutRoom.has(change.kind)) return unchanged(false);
  assertRoomForChange(open, change.createdAt);
  return changed({ id: userId, changes: [...open, change], expiresAt: change.expiresAt }, [], true);
}

/** The data about a change in an export: everything except the factors and the link. */
export function exportedChange({ kind, before, createdAt, expiresAt }: ControlChange): object {
  return { kind, emailBefore: http.emailAsTyped(before), createdAt, expiresAt };
}
