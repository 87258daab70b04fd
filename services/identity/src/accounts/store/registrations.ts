import { identityErrors, type Decision, type PageOf, type Slice } from '@storefront/contracts';
import {
  defineCollection,
  inTransaction,
  isDuplicate,
  openRepository,
  withEvents,
  type Loaded,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { countTry } from './count-try.ts';
import type { User } from '../../domain/user.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import { storedRegistration, useUp, type Registration } from '../domain/registration.ts';

export const registrations = defineCollection(
  'registrations',
  { ...withEvents, ...storedRegistration.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        {
          by: ['email'],
          because: 'whoever logs in before the email is proved is found by it, and an erasure finds all of the email',
        },
        { by: ['trade.businessName'], because: 'administrators list applications' },
      ],
    },
    indexes: {
      email_newest: { keys: { email: 1, passwordTag: 1, createdAt: -1 } },
      trade_newest: {
        keys: { createdAt: -1, _id: -1 },
        partialFilterExpression: { 'trade.businessName': { $gt: '' } },
      },
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
    },
  },
);

export interface Registrations extends Pick<Repository<Registration>, 'load' | 'change' | 'insertNew'> {
  /** Counts a try of the code. Returns the registration, or null where the code must not be compared. */
  tryCode(id: string, now: Date): Promise<Registration | null>;
  /** The newest registration of the email with that tag. The caller has to check the password. */
  findNewest(email: string, passwordTag: number, now: Date): Promise<Registration | null>;
  /**
   * Makes a user of the registration: deletes the registration, gives the email to the user and saves the user, all or
   * nothing. Of several registrations of an email, the first one proved gets the email. Throws `invalid_code` for the
   * others, and for a code that was replaced or used meanwhile.
   */
  prove<Result>(
    registration: Registration,
    decide: (current: User | null, registration: Registration) => Decision<User, Result>,
  ): Promise<Result>;
  /** Applications for trade accounts with an unproved email, the newest first. */
  unprovedTrade(slice: Slice, now: Date): Promise<PageOf<Loaded<Registration>>>;
  /** The ids of all registrations of the email. */
  idsOf(email: string): Promise<string[]>;
  /** Erases all registrations of the email. */
  erase(email: string): Promise<void>;
}

export function openRegistrations(
  needs: RepositoryNeeds,
  { users, emails }: { users: Users; emails: Emails },
): Registrations {
  const repository = openRepository<Registration>(registrations, needs);
  return {
    ...repository,

    tryCode: (id, now) => countTry(repository, id, now),

    async findNewest(email, passwordTag, now) {
      const [newest] = await repository.find(
        { email, passwordTag, expiresAt: { $gt: now } },
        { order: { createdAt: -1 }, limit: 1, hint: 'email_newest' },
      );
      return newest?.state ?? null;
    },

    async prove({ id, email, code }, decide) {
      try {
        return await inTransaction(needs.database, async (transaction) => {
          const [used] = await repository.changeAll(transaction, [id], (_id, current) => useUp(current, code.id));
          if (!used) throw identityErrors.invalidCode();
          const registration = used.result;
          const userId = await emails.claimIn(transaction, email, registration.userId);
          const expected = registration.purpose.kind === 'again' ? registration.purpose.of : registration.userId;
          if (userId !== expected) throw identityErrors.invalidCode();
          const [proved] = await users.changeAll(transaction, [userId], (_id, current) =>
            decide(current, registration),
          );
          if (!proved) throw new Error(`nothing was decided about ${userId}`);
          return proved.result;
        });
      } catch (error) {
        // Another registration of the email was proved at the same moment.
        throw isDuplicate(error) ? identityErrors.invalidCode() : error;
      }
    },

    unprovedTrade: (slice, now) =>
      repository.page({
        filter: { 'trade.businessName': { $gt: '' }, 'purpose.kind': { $ne: 'none' }, expiresAt: { $gt: now } },
        order: { createdAt: -1, _id: -1 },
        hint: 'trade_newest',
        slice,
      }),

    async idsOf(email) {
      const found = await repository.find({ email }, { fields: [], hint: 'email_newest' });
      return found.map(({ state }) => state.id);
    },

    erase: (email) => repository.eraseMany({ email }),
  };
}
