import type { Lab } from '../lab.ts';

type Stored = { _id: string; [field: string]: unknown };

/** A new account: all but these is copied. */
export interface NewAccount {
  readonly id: string;
  readonly email: string;
  readonly [field: string]: unknown;
}

/**
 * Writes copies of one user under other ids and emails, straight into the service's collections; its password is theirs.
 * `system` as for `lab.database`.
 */
export async function copyUsers(
  lab: Lab,
  email: string,
  accounts: readonly NewAccount[],
  system?: string,
): Promise<void> {
  const database = await lab.database('identity', system);
  const users = database.collection<Stored>('users');
  const emails = database.collection<Stored>('emails');
  const original = await users.findOne({ email });
  if (!original) throw new Error(`there is no user with the email ${email}`);
  const fast = { ordered: false, writeConcern: { w: 1 } };
  await users.insertMany(
    accounts.map(({ id, ...fields }) => ({ ...original, ...fields, _id: id, version: 1, outbox: [] })),
    fast,
  );
  await emails.insertMany(
    accounts.map((account) => ({ _id: account.email, userId: account.id })),
    fast,
  );
}
