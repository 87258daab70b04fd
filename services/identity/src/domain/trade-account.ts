import { fact, identityEvents, type Fact } from '@storefront/contracts';
import { personOf, type TradeApplication, type TradeDetails, type User } from './user.ts';

/** Makes the user an applicant for a trade account, who has just proved the email. */
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

/** The event that says that an application waits for staff. */
export function submitted(user: User, businessName: string): Fact {
  return fact(identityEvents.tradeAccountSubmitted, user.id, { ...personOf(user), businessName });
}

/** The data about a business that events contain: the same data as on its invoices. */
export function businessOf({ businessName, businessAddress, vatNumber, country }: TradeApplication) {
  return { name: businessName, address: businessAddress, vatNumber, country };
}
