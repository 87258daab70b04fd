import { fact, identityEvents } from '@storefront/contracts';
import { changed } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { notFound } from '@storefront/service-kit/problem';
import { invalidTransition } from './errors.ts';
import { revokeAll } from './revocation.ts';
import type { Revocation } from './revocation.ts';
import { personOf } from './user.ts';
import type { Trade, TradeAction, User } from './user.ts';

export type TradeDetails = Omit<Trade, 'submittedAt' | 'timeline'>;
/** What an administrator may do to a trade account. */
export type Verdict = Exclude<TradeAction, 'submit'>;

/** From which status each verdict leads where. */
export const transitions: Record<Verdict, { readonly from: User['status']; readonly to: User['status'] }> = {
  approve: { from: 'pending-approval', to: 'approved' },
  reject: { from: 'pending-approval', to: 'rejected' },
  'request-info': { from: 'pending-approval', to: 'info-requested' },
  suspend: { from: 'approved', to: 'suspended' },
  reinstate: { from: 'suspended', to: 'approved' },
};

const tells = {
  approve: identityEvents.tradeAccountApproved,
  reject: identityEvents.tradeAccountRejected,
  'request-info': identityEvents.tradeAccountInfoRequested,
  suspend: identityEvents.tradeAccountSuspended,
  reinstate: identityEvents.tradeAccountReinstated,
} as const;

/** The user as an applicant for a trade account. */
export function submitted(user: User, details: TradeDetails, now: Date): User {
  const entry = { at: now, by: user.id, action: 'submit', reason: null } as const;
  return {
    ...user,
    role: 'trade',
    status: 'pending-approval',
    trade: { ...details, submittedAt: now, timeline: [...(user.trade?.timeline ?? []), entry] },
    updatedAt: now,
  };
}

/** An administrator's verdict; 404 where it is no trade account, 409 where its status does not take it. */
export function judge(
  current: User | null,
  action: Verdict,
  { by, reason, now }: { by: string; reason: string | null; now: Date },
): Decision<User, { user: User; revocation: Revocation | null }> {
  if (!current?.trade) throw notFound('trade account');
  const { from, to } = transitions[action];
  if (current.status !== from) throw invalidTransition(action, current.status);
  const trade: Trade = { ...current.trade, timeline: [...current.trade.timeline, { at: now, by, action, reason }] };
  const judged: User = { ...current, status: to, trade, updatedAt: now };
  const told = fact(tells[action], judged.id, { ...personOf(judged), businessName: trade.businessName, reason });
  if (action !== 'suspend') return changed(judged, [told], { user: judged, revocation: null });
  const revoked = revokeAll(judged, 'suspended', now);
  return changed(revoked.user, [told, revoked.fact], { user: revoked.user, revocation: revoked.revocation });
}
