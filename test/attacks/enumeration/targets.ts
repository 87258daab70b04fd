import { hash, randomBytes } from 'node:crypto';
import { newId } from '@storefront/contracts';
import { expectStatus, newEmail, newPassword, signUp } from '../system/people.ts';
import type { System } from '../system/system.ts';

/** What an attacker sends: emails or ids of which somebody knows, or has an account, and others that are nobody's. */
export interface Targets {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
}

/** Makes as many targets of each side. None is made twice, since each takes only a few codes and logins an hour. */
export interface TargetMaker {
  /** Emails that have an account, and emails that nobody has. */
  accounts(count: number): Promise<Targets>;
  /** Emails that somebody else has registered and not proved, and emails that nobody has. */
  unproved(count: number): Promise<Targets>;
  /** Ids of the attacker's own registrations, of emails that have an account and of others. */
  registrations(count: number): Promise<Targets>;
  /** Ids of recoveries that the attacker has begun, of emails that have an account and of others. */
  recoveries(count: number): Promise<Targets>;
}

/** Every target is a copy of one that the API has made, written into the database under another name. */
export async function openTargetMaker(system: System): Promise<TargetMaker> {
  const person = await signUp(system, 'known');
  const stranger = newEmail('unknown');
  for (const email of [person.email, stranger]) {
    const body = { email, password: newPassword(system), firstName: 'Ada', lastName: 'Lovelace' };
    await expectStatus(system.call('POST', '/v1/auth/register', { body }), 202);
    await expectStatus(system.call('POST', '/v1/auth/password/forgot', { body: { email } }), 202);
  }
  // The events about them have left their documents.
  await system.fingerprint();
  const database = system.database('identity');
  const collection = (name: string) => database.collection<any>(name);
  const originals = {
    user: await collection('users').findOne({ email: person.email }),
    registrationOfKnown: await collection('registrations').findOne({ email: person.email }),
    registration: await collection('registrations').findOne({ email: stranger }),
    recoveryOfKnown: await collection('recoveries').findOne({ userId: person.id }),
    recovery: await collection('recoveries').findOne({ userId: null }),
  };

  const insert = async (name: string, documents: object[]) => void (await collection(name).insertMany(documents));
  const emailsOf = (name: string, count: number) => Array.from({ length: count }, () => newEmail(name));
  const digestOf = (id: string) => hash('sha256', id, 'base64url');

  async function users(count: number): Promise<{ id: string; email: string }[]> {
    const made = emailsOf('known', count).map((email) => ({ id: newId('user'), email }));
    await insert(
      'users',
      made.map(({ id, email }) => ({ ...originals.user, _id: id, email })),
    );
    await insert(
      'emails',
      made.map(({ id, email }) => ({ _id: email, userId: id })),
    );
    return made;
  }

  async function registrations(original: object, emails: readonly string[]): Promise<string[]> {
    const ids = emails.map(() => newId('reg'));
    const longAgo = new Date(Date.now() - 120_000);
    await insert(
      'registrations',
      emails.map((email, at) => {
        const own = { _id: digestOf(ids[at] ?? ''), email, userId: newId('user'), codesSent: [longAgo] };
        return { ...original, ...own };
      }),
    );
    return ids;
  }

  async function recoveries(original: object, userIds: readonly (string | null)[]): Promise<string[]> {
    const ids = userIds.map(() => newId('rec'));
    await insert(
      'recoveries',
      userIds.map((userId, at) => {
        const linkHash = randomBytes(32).toString('base64url');
        return { ...original, _id: digestOf(ids[at] ?? ''), userId, linkHash };
      }),
    );
    return ids;
  }

  return {
    async accounts(count) {
      return { known: (await users(count)).map(({ email }) => email), unknown: emailsOf('unknown', count) };
    },
    async unproved(count) {
      const emails = emailsOf('waiting', count);
      await registrations(originals.registration, emails);
      return { known: emails, unknown: emailsOf('unknown', count) };
    },
    async registrations(count) {
      const owned = (await users(count)).map(({ email }) => email);
      return {
        known: await registrations(originals.registrationOfKnown, owned),
        unknown: await registrations(originals.registration, emailsOf('unknown', count)),
      };
    },
    async recoveries(count) {
      const owners = (await users(count)).map(({ id }) => id);
      return {
        known: await recoveries(originals.recoveryOfKnown, owners),
        unknown: await recoveries(
          originals.recovery,
          Array.from({ length: count }, () => null),
        ),
      };
    },
  };
}
