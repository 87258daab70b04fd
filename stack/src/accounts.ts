import type { Secrets } from './secrets.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The accounts that can log in after the start. Without demo data, only the administrator can. */
export interface Accounts {
  readonly admin: Credentials;
  readonly trade?: Credentials;
  readonly retail?: Credentials;
}

/**
 * The accounts of the administrator and of the two demo users. Each data folder has different passwords; there are no
 * default passwords.
 */
export function accountsOf(env: NodeJS.ProcessEnv, secrets: Secrets): Required<Accounts> {
  const account = (name: string) => ({ email: `${name}@example.com`, password: secrets.password(name) });
  const admin = account('admin');
  return {
    admin: { email: env.ADMIN_EMAIL || admin.email, password: env.ADMIN_PASSWORD || admin.password },
    trade: account('trade'),
    retail: account('retail'),
  };
}
