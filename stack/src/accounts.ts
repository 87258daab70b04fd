import { passwordErrors, type PersonalWords, type StaffRole } from '@storefront/contracts';
import type { Secrets } from './secrets.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The staff of the demo data besides the administrator. */
export const demoStaff = ['catalog', 'marketing', 'sales', 'support'] as const satisfies readonly StaffRole[];
type DemoPerson = 'trade' | 'retail' | (typeof demoStaff)[number];

/** The accounts that can log in after the start. Without demo data, only the administrator can. */
export type Accounts = { readonly admin: Credentials } & { readonly [Name in DemoPerson]?: Credentials };

/** The people of the demo data, as they register. */
export const people = {
  trade: {
    firstName: 'Toni',
    lastName: 'Trade',
    phone: '+31 20 123 4567',
    businessName: 'Quay Wholesale',
    businessAddress: 'Pier 4, 1011 AB Amsterdam, Netherlands',
    vatNumber: 'NL001234567B01',
    country: 'NL',
  },
  retail: { firstName: 'Robin', lastName: 'Retail' },
  catalog: { firstName: 'Carol', lastName: 'Catalog' },
  marketing: { firstName: 'Marlon', lastName: 'Marketing' },
  sales: { firstName: 'Salma', lastName: 'Sales' },
  support: { firstName: 'Sunny', lastName: 'Support' },
};

// Identity does not start where PASSWORD_MIN_LENGTH is more than this.
const longestMinimum = 64;

/**
 * The accounts of the administrator and of the people of the demo data. Each data folder has different passwords; there are no
 * default passwords.
 */
export function accountsOf(env: NodeJS.ProcessEnv, secrets: Secrets): Required<Accounts> {
  const rules = {
    minLength: Math.min(Number(env.PASSWORD_MIN_LENGTH) || 0, longestMinimum),
    // Ten random syllables are nobody's favourite.
    isCommon: () => false,
  };
  function account(name: string, email: string, personal: PersonalWords = {}): Credentials {
    const isAllowed = (password: string) =>
      passwordErrors('/password', password, { ...personal, email }, rules).length === 0;
    return { email, password: secrets.password(name, isAllowed) };
  }
  const admin = account('admin', env.ADMIN_EMAIL || 'admin@example.com');
  const demoAccount = (name: DemoPerson) => account(name, `${name}@example.com`, people[name]);
  return {
    admin: { ...admin, ...(env.ADMIN_PASSWORD && { password: env.ADMIN_PASSWORD }) },
    trade: demoAccount('trade'),
    retail: demoAccount('retail'),
    catalog: demoAccount('catalog'),
    marketing: demoAccount('marketing'),
    sales: demoAccount('sales'),
    support: demoAccount('support'),
  };
}
