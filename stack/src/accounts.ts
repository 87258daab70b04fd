import type { Secrets } from './secrets.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** Who can log in. The two of the demo are absent where no demo data was made. */
export interface Accounts {
  readonly admin: Account;
  readonly trade?: Account;
  readonly retail?: Account;
}

/** The administrator and the two accounts of the demo: new passwords for each data folder, never a default one. */
export function accountsOf(env: NodeJS.ProcessEnv, secrets: Secrets): Required<Accounts> {
  const account = (name: string): Account => ({ email: `${name}@example.com`, password: secrets.password(name) });
  const admin = account('admin');
  return {
    admin: { email: env.ADMIN_EMAIL || admin.email, password: env.ADMIN_PASSWORD || admin.password },
    trade: account('trade'),
    retail: account('retail'),
  };
}
