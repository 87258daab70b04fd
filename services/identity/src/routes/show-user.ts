import { http, type identityHttp } from '@storefront/contracts';
import type { z } from 'zod';
import type { Registration } from '../accounts/domain/registration.ts';
import type { TradeApplication, User } from '../domain/user.ts';

/** A user as the API shows them to themselves. */
export function showUser(user: User): identityHttp.UserBody {
  return { ...fieldsOf(user), ...(user.trade ? { trade: detailsOf(user.trade) } : {}) };
}

/** A trade account as the API shows it to administrators. */
export function showTradeAccount(user: User): z.infer<typeof identityHttp.tradeAccount> {
  if (!user.trade) throw new Error(`${user.id} has no trade account`);
  const timeline = user.trade.timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
  return { ...fieldsOf(user), trade: { ...detailsOf(user.trade), timeline } };
}

/** An application as the API shows it to administrators while nobody has proved its email: whose it is is not known. */
export function showUnproved(registration: Registration): z.infer<typeof identityHttp.tradeAccount> {
  const { firstName, lastName, phone, trade, purpose, userId, createdAt } = registration;
  if (!trade) throw new Error('a registration of a consumer is no application');
  const at = createdAt.toISOString();
  return {
    id: purpose.kind === 'again' ? purpose.of : userId,
    email: http.emailAsTyped(registration),
    role: 'trade',
    status: 'unverified',
    firstName,
    lastName,
    phone,
    emailVerifiedAt: null,
    createdAt: at,
    updatedAt: at,
    trade: { ...trade, submittedAt: at, timeline: [] },
  };
}

function fieldsOf(user: User) {
  return {
    id: user.id,
    email: http.emailAsTyped(user),
    role: user.role,
    status: user.status,
    firstName: user.firstName,
    lastName: user.lastName,
    phone: user.phone,
    emailVerifiedAt: user.emailVerifiedAt.toISOString(),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

function detailsOf(trade: TradeApplication) {
  return {
    businessName: trade.businessName,
    businessAddress: trade.businessAddress,
    referralCode: trade.referralCode,
    vatNumber: trade.vatNumber,
    companyRegistration: trade.companyRegistration,
    country: trade.country,
    submittedAt: trade.submittedAt.toISOString(),
  };
}
