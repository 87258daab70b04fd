import { countryOptions } from '../countries.ts';
import type { Language, Sentence } from '../words/translate.ts';

export interface Field {
  readonly label: Sentence;
  readonly type?: 'text' | 'email' | 'tel' | 'password';
  /** What browsers fill in; see the list of the HTML standard. */
  readonly autocomplete?: string;
  readonly optional?: boolean;
  readonly hint?: Sentence;
  readonly rows?: number;
  readonly maxlength?: number;
  /** Phones show the keys for digits. */
  readonly numeric?: boolean;
  /** Is entered anew each time, as passwords are. */
  readonly isOnce?: boolean;
  /** Makes it a choice among these. */
  readonly options?: (language: Language) => readonly (readonly [value: string, label: string])[];
}

/** To set a password, in place of entering it. */
export const newPassword = {
  autocomplete: 'new-password',
  hint: 'At least 8 characters. A sentence is a good password.',
} as const satisfies Partial<Field>;

const currentPassword = { type: 'password', autocomplete: 'current-password' } as const;
const phone = { label: 'Phone', type: 'tel', autocomplete: 'tel', maxlength: 32 } as const;

const table = {
  // Accounts
  email: { label: 'Email', type: 'email', autocomplete: 'email', maxlength: 254 },
  password: { label: 'Password', ...currentPassword },
  currentPassword: { label: 'Your password now', ...currentPassword },
  newPassword: { label: 'New password', type: 'password', ...newPassword },
  code: { label: 'Code', autocomplete: 'one-time-code', maxlength: 6, numeric: true, isOnce: true },
  token: { label: 'Secret of the link', hint: 'What stands after “token=” in the link of the mail.' },
  name: { label: 'Name of the passkey', maxlength: 60 },

  // People and places
  firstName: { label: 'First name', autocomplete: 'given-name', maxlength: 100 },
  lastName: { label: 'Last name', autocomplete: 'family-name', maxlength: 100 },
  company: { label: 'Company', autocomplete: 'organization', maxlength: 200, optional: true },
  homeAddress: { label: 'Street and number', autocomplete: 'street-address' },
  city: { label: 'Postcode and city', autocomplete: 'address-level2', maxlength: 100 },
  country: { label: 'Country', autocomplete: 'country', options: countryOptions },
  phone: { ...phone, optional: true },
  contactPhone: phone,

  // Businesses
  businessName: { label: 'Business', autocomplete: 'organization', maxlength: 200 },
  businessAddress: { label: 'Address of the business', autocomplete: 'street-address', rows: 3 },
  vatNumber: { label: 'VAT number', maxlength: 32, optional: true },
  companyRegistration: { label: 'Trade register number', maxlength: 64, optional: true },
  referralCode: { label: 'Referral code', maxlength: 64, optional: true },

  // Orders
  reference: { label: 'Your order number', maxlength: 100, optional: true, hint: 'It stands on the invoice.' },
  note: { label: 'A note for us', rows: 2, maxlength: 1000, optional: true },
  reason: { label: 'Why?', rows: 2 },
  secret: { label: 'Secret of the link', hint: 'What stands after “secret=” in the link of the mail.' },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof table;

/** All fields of the shop's forms, by the names under which the API knows them. */
export const fields: Readonly<Record<FieldName, Field>> = table;
