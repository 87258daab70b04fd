import { identityHttp } from '@storefront/contracts';
import type { PageOf, Slice } from '@storefront/contracts';
import {
  arrayOf,
  date,
  defineCollection,
  integer,
  object,
  oneOf,
  openRepository,
  orNull,
  text,
  withEvents,
} from '@storefront/mongo';
import type { Loaded, Repository, RepositoryNeeds } from '@storefront/mongo';
import { codeRules, hourMs } from '../domain/code.ts';
import type { CodePurpose, TradeAction, User } from '../domain/user.ts';

const code = orNull(object({ id: text(), hash: text(), expiresAt: date(), attempts: integer() }));
const tradeActions = ['submit', 'approve', 'reject', 'request-info', 'suspend', 'reinstate'] as const;
const trade = object({
  businessName: text(),
  businessAddress: text(),
  referralCode: orNull(text()),
  vatNumber: orNull(text()),
  companyRegistration: orNull(text()),
  submittedAt: date(),
  timeline: arrayOf(
    object({ at: date(), by: text(), action: oneOf<TradeAction>(tradeActions), reason: orNull(text()) }),
  ),
});

const isTrade = { partialFilterExpression: { role: 'trade' } };
const isSet = (field: string) => ({ partialFilterExpression: { [field]: { $gt: new Date(0) } } });

export const users = defineCollection(
  'users',
  {
    ...withEvents,
    email: text(),
    role: oneOf(identityHttp.role.options),
    status: oneOf(identityHttp.userStatus.options),
    firstName: text(),
    lastName: text(),
    phone: orNull(text()),
    passwordHash: text(),
    emailVerifiedAt: orNull(date()),
    registration: text(),
    codes: object({ verify: code, reset: code }),
    codesSent: object({ verify: arrayOf(date()), reset: arrayOf(date()) }),
    codeTries: arrayOf(date()),
    attemptsTold: arrayOf(object({ registration: text(), at: date() })),
    throttleTold: orNull(date()),
    tokenVersion: integer(),
    tokensRevokedAt: orNull(date()),
    endedSessions: arrayOf(object({ id: text(), until: date() })),
    trade: orNull(trade),
    createdAt: date(),
    updatedAt: date(),
  },
  {
    indexes: {
      trade_newest: { keys: { 'trade.submittedAt': -1, _id: -1 }, ...isTrade },
      trade_by_status: { keys: { status: 1, 'trade.submittedAt': -1, _id: -1 }, ...isTrade },
      revoked: { keys: { tokensRevokedAt: 1 }, ...isSet('tokensRevokedAt') },
      sessions_ended: { keys: { 'endedSessions.until': 1 }, ...isSet('endedSessions.until') },
    },
  },
);

export interface Users extends Repository<User> {
  /**
   * Counts a try of the code in one atomic write, whatever becomes of it, and returns the user as of then. Returns null where
   * there is no code to try, or where the code, or the user within an hour, had too many tries.
   */
  countCodeTry(id: string, purpose: CodePurpose, now: Date): Promise<User | null>;
  /** Users with a trade application, those submitted last first. */
  tradeAccounts(query: { status?: User['status'] | undefined; slice: Slice }): Promise<PageOf<Loaded<User>>>;
}

/** The users, each in a document that carries its outbox. */
export function openUsers(needs: RepositoryNeeds): Users {
  const repository = openRepository<User>(users, needs);
  return {
    ...repository,

    async countCodeTry(id, purpose, now) {
      const tried = await repository.collection.findOneAndUpdate(
        {
          _id: id,
          [`codes.${purpose}.attempts`]: { $lt: codeRules.triesPerCode },
          [`codes.${purpose}.expiresAt`]: { $gt: now },
          // If there are as many tries as an hour allows, the oldest of them is more than an hour ago.
          [`codeTries.${codeRules.triesPerHour - 1}`]: { $not: { $gt: new Date(now.getTime() - hourMs) } },
        },
        {
          $inc: { [`codes.${purpose}.attempts`]: 1, version: 1 },
          $push: { codeTries: { $each: [now], $position: 0, $slice: codeRules.triesPerHour } },
        },
        { returnDocument: 'after', projection: { outbox: 0 } },
      );
      if (!tried) return null;
      const { _id, version: _version, outbox: _outbox, ...fields } = tried;
      return { id: _id, ...fields };
    },

    tradeAccounts: ({ status, slice }) =>
      repository.page({
        filter: { role: 'trade', ...(status ? { status } : {}) },
        order: { 'trade.submittedAt': -1, _id: -1 },
        hint: status ? 'trade_by_status' : 'trade_newest',
        slice,
      }),
  };
}
