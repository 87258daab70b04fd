import { changed, fact, identityErrors, identityEvents, notFound } from '@storefront/contracts';
import type { Decision, Fact } from '@storefront/contracts';
import { revokeAll } from './revocation.ts';
import type { Revocation } from './revocation.ts';
import { personOf } from './user.ts';
import type { TradeAction, TradeApplication, User } from './user.ts';

export type TradeDetails = Omit<TradeApplication, 'submittedAt' | 'timeline'>;
/** What an administrator may do to a trade account. */
export type ReviewAction = Exclude<TradeAction, 'submit' | 'verify-email' | 'resubmit'>;

/** The status that each action needs, and the one it leads to. */
export const transitions: Record<ReviewAction, { readonly from: User['status']; readonly to: User['status'] }> = {
  approve: { from: 'pending-approval', to: 'approved' },
  reject: { from: 'pending-approval', to: 'rejected' },
  'request-info': { from: 'pending-approval', to: 'info-requested' },
  suspend: { from: 'approved', to: 'suspended' },
  reinstate: { from: 'suspended', to: 'approved' },
};

const eventOf = {
  approve: identityEvents.tradeAccountApproved,
  reject: identityEvents.tradeAccountRejected,
  'request-info': identityEvents.tradeAccountInfoRequested,
  suspend: identityEvents.tradeAccountSuspended,
  reinstate: identityEvents.tradeAccountReinstated,
} as const;

/** The user as an applicant for a trade account, who has proved now that the email is theirs. */
export function withApplication(user: User, details: TradeDetails, submittedAt: Date, now: Date): User {
  const entries = [
    { at: submittedAt, by: user.id, action: 'submit', reason: null },
    { at: now, by: user.id, action: 'verify-email', reason: null },
  ] as const;
  return {
    ...user,
    role: 'trade',
    status: 'pending-approval',
    trade: { ...details, submittedAt, timeline: [...(user.trade?.timeline ?? []), ...entries] },
    updatedAt: now,
  };
}

/** What an applicant changes who was asked for more. */
export interface Resubmission extends Partial<TradeDetails> {
  readonly phone?: string | undefined;
  /** An answer to the administrator. */
  readonly note?: string | undefined;
}

/**
 * An applicant who was asked for more submits the application again. Throws `not_found` where the user has no trade
 * account, and `invalid_transition` where nobody asked.
 */
export function resubmit(
  current: User | null,
  { phone, note, ...details }: Resubmission,
  now: Date,
): Decision<User, User> {
  if (!current?.trade) throw notFound('trade account');
  if (current.status !== 'info-requested') throw identityErrors.invalidTransition('resubmit', current.status);
  const entry = { at: now, by: current.id, action: 'resubmit', reason: note ?? null } as const;
  const user: User = {
    ...current,
    phone: phone ?? current.phone,
    status: 'pending-approval',
    trade: { ...current.trade, ...details, submittedAt: now, timeline: [...current.trade.timeline, entry] },
    updatedAt: now,
  };
  return changed(user, [submitted(user, user.trade?.businessName ?? '')]);
}

/** The event that an application waits for an administrator. */
export function submitted(user: User, businessName: string): Fact {
  return fact(identityEvents.tradeAccountSubmitted, user.id, { ...personOf(user), businessName });
}

/** What events say of a business: what stands on its invoices. It changes only before an approval, so no other event tells it. */
export function businessOf({ businessName, businessAddress, vatNumber }: TradeApplication) {
  return { name: businessName, address: businessAddress, vatNumber };
}

/**
 * An administrator's action on a trade account. A suspension revokes all tokens. Throws `not_found` where the user has no
 * trade account, and `invalid_transition` where its status does not allow the action.
 */
export function review(
  current: User | null,
  action: ReviewAction,
  { by, reason, now }: { by: string; reason: string | null; now: Date },
): Decision<User, { user: User; revocation: Revocation | null }> {
  if (!current?.trade) throw notFound('trade account');
  const { from, to } = transitions[action];
  if (current.status !== from) throw identityErrors.invalidTransition(action, current.status);
  const timeline = [...current.trade.timeline, { at: now, by, action, reason }];
  const user: User = { ...current, status: to, trade: { ...current.trade, timeline }, updatedAt: now };
  const business = businessOf(current.trade);
  const submittedAt = current.trade.submittedAt.toISOString();
  const data = { ...personOf(user), businessName: business.name, reason, business, submittedAt };
  const reviewed = fact(eventOf[action], user.id, data);
  if (action !== 'suspend') return changed(user, [reviewed], { user, revocation: null });
  const revoked = revokeAll(user, 'suspended', now);
  return changed(revoked.user, [reviewed, revoked.fact], { user: revoked.user, revocation: revoked.revocation });
}
