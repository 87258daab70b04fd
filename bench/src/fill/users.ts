import type { BenchContext } from '../context.ts';

type Stored = { _id: string; [field: string]: unknown };

/** The fields of a new account that are not copied. */
export interface NewAccount {
  readonly id: string;
  readonly email: string;
  readonly [field: string]: unknown;
}

/**
 * Inserts copies of one user with other ids and emails directly into the service's collections. They have the same
 * password. `prefix` names the system as in `context.database`.
 */
export async function copyUsers(
  context: BenchContext,
  email: string,
  accounts: readonly NewAccount[],
  prefix: string,
): Promise<void> {
  const database = await context.database('identity', prefix);
  const users = database.collection<Stored>('users');
  const emails = database.collection<Stored>('emails');
  const original = await users.findOne({ email });
  if (!original) throw new Error(`there is no user with the email ${email}`);
  // The services read what a majority has: with less, a login right after this could find nobody.
  const options = { ordered: false, writeConcern: { w: 'majority' } } as const;
  await users.insertMany(
    accounts.map(({ id, ...fields }) => ({ ...original, ...fields, _id: id, version: 1, outbox: [] })),
    options,
  );
  await emails.insertMany(
    accounts.map((account) => ({ _id: account.email, userId: account.id })),
    options,
  );
}
