import { http, type identityHttp } from '@storefront/contracts';
import type { z } from 'zod';
import type { TradeApplication, User } from '../domain/user.ts';

/** A user in the form that the API shows to this user. */
export function showUser(user: User): identityHttp.UserBody {
  const { locale = null, timeZone = null, trade } = user;
  return { ...fieldsOf(user), locale, timeZone, ...(trade ? { trade: detailsOf(trade) } : {}) };
}

/** A trade account in the form that the API shows to staff. */
export function showTradeAccount(user: User): z.infer<typeof identityHttp.tradeAccount> {
  if (!user.trade) throw new Error(`${user.id} has no trade account`);
  const timeline = user.trade.timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
  return { ...fieldsOf(user), trade: { ...detailsOf(user.trade), timeline } };
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
