import type { Secrets } from './secrets.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The accounts that can log in after the start. The two demo accounts are absent without demo data. */
export interface Accounts {
  readonly admin: Credentials;
  readonly trade?: Credentials;
  readonly retail?: Credentials;
}

/** The administrator and the two demo accounts. Each data folder has its own passwords; there are no default ones. */
export function accountsOf(env: NodeJS.ProcessEnv, secrets: Secrets): Required<Accounts> {
  const account = (name: string) => ({ email: `${name}@example.com`, password: secrets.password(name) });
  const admin = account('admin');
  return {
    admin: { email: env.ADMIN_EMAIL || admin.email, password: env.ADMIN_PASSWORD || admin.password },
    trade: account('trade'),
    retail: account('retail'),
  };
}
