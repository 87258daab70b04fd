import {
  changed,
  fact,
  identityErrors,
  identityEvents,
  notFound,
  unchanged,
  type Decision,
} from '@storefront/contracts';
import { countryOfBusiness } from '../../domain/business-country.ts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { businessOf, submitted } from '../../domain/trade-account.ts';
import { personOf, type TradeAction, type TradeDetails, type User } from '../../domain/user.ts';

/** The actions that staff may perform on a trade account. */
export type ReviewAction = Exclude<TradeAction, 'submit' | 'verify-email' | 'resubmit'>;

/** For each action, the status that the account must have before (`from`) and gets by the action (`to`). */
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

/** The changes of an applicant from whom staff have requested more details. */
export interface Resubmission extends Partial<Omit<TradeDetails, 'country'>> {
  /** If left out, the country is derived from the changed fields, where they show it. */
  readonly country?: string | undefined;
  readonly phone?: string | undefined;
  /** An answer to the administrator. */
  readonly note?: string | undefined;
}

/**
 * Submits an application again after staff have requested more details. Throws `not_found` where the user has
 * no trade account, and `invalid_transition` where nothing was requested.
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
    trade: {
      ...current.trade,
      ...details,
      country: countryOfBusiness(details) ?? current.trade.country,
      submittedAt: now,
      timeline: [...current.trade.timeline, entry],
    },
    updatedAt: now,
  };
  return changed(user, [submitted(user, user.trade?.businessName ?? '')]);
}

/** Corrects the country of a business for staff. Throws `not_found` where the user has no trade account. */
export function correctCountry(current: User | null, country: string, now: Date): Decision<User, User> {
  if (!current?.trade) throw notFound('trade account');
  if (current.trade.country === country) return unchanged(current);
  const trade = { ...current.trade, country };
  const data = { ...personOf(current), isApproved: current.status === 'approved', business: businessOf(trade) };
  return changed({ ...current, trade, updatedAt: now }, [fact(identityEvents.tradeAccountChanged, current.id, data)]);
}

/**
 * Performs an action of staff on a trade account. A suspension revokes all tokens; an approval sets `country`.
 * Throws `not_found` where the user has no trade account, `invalid_transition` where its status does not allow the
 * action, and `country_required` where an approval leaves the country unknown.
 */
export function review(
  current: User | null,
  action: ReviewAction,
  { by, reason, country = null, now }: { by: string; reason: string | null; country?: string | null; now: Date },
): Decision<User, { user: User; revocation: Revocation | null }> {
  if (!current?.trade) throw notFound('trade account');
  const { from, to } = transitions[action];
  if (current.status !== from) throw identityErrors.invalidTransition(action, current.status);
  const timeline = [...current.trade.timeline, { at: now, by, action, reason }];
  const trade = { ...current.trade, country: country ?? current.trade.country, timeline };
  if (action === 'approve' && trade.country === null) throw identityErrors.countryRequired();
  const user: User = { ...current, status: to, trade, updatedAt: now };
  const business = businessOf(trade);
  const submittedAt = current.trade.submittedAt.toISOString();
  const data = { ...personOf(user), businessName: business.name, reason, business, submittedAt };
  const reviewed = fact(eventOf[action], user.id, data);
  if (action !== 'suspend') return changed(user, [reviewed], { user, revocation: null });
  const revoked = revokeAll(user, 'suspended', now);
  return changed(revoked.user, [reviewed, revoked.fact], { user: revoked.user, revocation: revoked.revocation });
}
