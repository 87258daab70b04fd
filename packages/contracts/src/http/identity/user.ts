import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { staffRoles } from '../../staff.ts';
import { shownEmail, timestamp } from '../common.ts';
import { locale } from '../../locales.ts';
import { country } from '../countries.ts';

/** A phone number in a request. */
export const phone = z
  .string()
  .trim()
  .max(32)
  .regex(/^\+?[0-9 ()./-]{5,32}$/, { error: 'must be a phone number' })
  .meta({ examples: ['+31 20 123 4567'] });

/** The country of a business that applies for a trade account. */
export const businessCountry = country.optional().meta({
  description:
    'ISO 3166-1 alpha-2. Where it is left out it is read from the VAT number, else from the last line of the address.',
  examples: ['NL'],
});

export const userStatus = z
  .enum([
    'unverified',
    'active',
    'pending-approval',
    'info-requested',
    'approved',
    'rejected',
    'suspended',
    'disabled',
    'erasing',
  ])
  .meta({
    description:
      'Retail: `active`. Trade: `pending-approval`, `info-requested`, `approved`, `rejected` or `suspended`. ' +
      'Staff: `active` or `disabled`. Any: `erasing`. An application whose email is not verified: `unverified`.',
  });
export type UserStatus = z.infer<typeof userStatus>;

export const role = z.enum(['retail', 'trade', ...staffRoles]);
export type Role = z.infer<typeof role>;

export const tradeDetails = {
  businessName: z.string().meta({ examples: ['Analytical Engines Ltd'] }),
  businessAddress: z.string(),
  referralCode: z.string().nullable(),
  vatNumber: z.string().nullable(),
  country: z
    .string()
    .nullable()
    .meta({
      description: 'ISO 3166-1 alpha-2; null until it is known, at the approval at the latest.',
      examples: ['NL'],
    }),
  companyRegistration: z.string().nullable(),
  submittedAt: timestamp.meta({ description: 'When the application was last submitted.' }),
};

export const userFields = {
  id: idSchema('user'),
  email: shownEmail,
  role,
  status: userStatus,
  firstName: z.string().meta({ examples: ['Ada'] }),
  lastName: z.string().meta({ examples: ['Lovelace'] }),
  phone: z.string().nullable(),
  emailVerifiedAt: timestamp.nullable().meta({ description: 'When the email was verified; null until then.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

/** The language and the time zone in which a person is written to. */
export const userLocale = locale.nullable().meta({
  description:
    'The language of mails and notifications: at first the one that the registration asked for by `Accept-Language`. null: the language of the shop.',
});
export const userTimeZone = z
  .string()
  .nullable()
  .meta({
    description: 'The IANA time zone of times in mails. null: the time zone of the shop.',
    examples: ['Europe/Berlin'],
  });

export const user = z
  .object({
    ...userFields,
    locale: userLocale,
    timeZone: userTimeZone,
    trade: z.object(tradeDetails).optional().meta({ description: 'Present for trade accounts.' }),
  })
  .meta({ id: 'User', description: 'An account: retail, trade or staff.' });
export type UserBody = z.infer<typeof user>;
