import { newId } from '@storefront/contracts';
import { expectStatus, newEmail, newPassword } from '../system/people.ts';
import type { System } from '../system/system.ts';

/** Emails that have an account. */
export interface Known {
  /** Their code was sent long enough ago for another one. */
  readonly waiting: readonly string[];
  readonly verified: readonly string[];
}

/**
 * As many accounts of each kind: one that registered, written into the database over and over under other names, since each
 * account takes only a few codes and logins an hour.
 */
export async function makeKnown(system: System, count: number): Promise<Known> {
  const email = newEmail('known');
  const body = { email, password: newPassword(system), firstName: 'Ada', lastName: 'Lovelace' };
  await expectStatus(system.call('POST', '/v1/auth/register', { body }), 202);
  await system.fingerprint();
  const database = system.database('identity');
  const [users, emails] = [database.collection<any>('users'), database.collection<any>('emails')];
  const { _id: original, ...fields } = await users.findOne({ email });
  const longAgo = new Date(Date.now() - 120_000);
  const copies = async (status: string) => {
    const made = Array.from({ length: count }, () => ({ id: newId('user'), email: newEmail('known') }));
    await users.insertMany(
      made.map((each) => ({
        ...fields,
        _id: each.id,
        email: each.email,
        status,
        emailVerifiedAt: status === 'active' ? longAgo : null,
        codes: status === 'active' ? { verify: null, reset: null } : fields.codes,
        codesSent: { verify: status === 'active' ? [] : [longAgo], reset: [] },
      })),
    );
    await emails.insertMany(made.map((each) => ({ _id: each.email, userId: each.id })));
    return made.map((each) => each.email);
  };
  await users.updateOne({ _id: original }, { $set: { status: 'active', emailVerifiedAt: longAgo } });
  return { waiting: await copies('unverified'), verified: await copies('active') };
}
