import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

export const postalAddress = z.object({
  homeAddress: z.string(),
  state: z.string().nullable(),
  city: z.string(),
  country: z.string(),
});
export type PostalAddress = StateOf<typeof postalAddress>;

/** The name and contact data of a saved recipient. */
export const person = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  /** E.164, except where an order had a number that could not be converted. */
  phone: z.string().nullable(),
  address: postalAddress.nullable(),
});
export type Person = StateOf<typeof person>;
