import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

export const postalAddress = z.object({
  homeAddress: z.string(),
  state: z.string().nullable(),
  city: z.string(),
  country: z.string(),
});
export type PostalAddress = StateOf<typeof postalAddress>;

/** Who a saved recipient is. */
export const person = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  /** E.164, but for a number of an order that could not be read as one. */
  phone: z.string().nullable(),
  address: postalAddress.nullable(),
});
export type Person = StateOf<typeof person>;
