import type { FieldError } from '../problem.ts';
import { bodyField } from './common.ts';
import { defineErrors } from './refusal.ts';

export const accountErrors = defineErrors({
  defaultRequired: {
    kind: 'rule',
    detail: 'One address is always the default: make another one the default instead.',
  },
  tooManyAddresses: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} addresses already: delete one first.`,
    example: [50],
  },
  tooManyCustomers: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} recipients already: delete one first.`,
    example: [5000],
  },
  wishlistFull: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} items on the wishlist already: remove one first.`,
    example: [500],
  },
});

/** Field errors that only the account service can detect. */
export const accountFields = {
  /** A variant that the product does not have, or that is not for sale. */
  unknownVariant: (pointer: string): FieldError =>
    bodyField(pointer, 'unknown_variant', 'is no variant of the product that is for sale'),
  /**
   * The error for a text that is not a phone number, or not one of `country` (ISO 3166-1 alpha-2). `field` is the name
   * of the field in the body.
   */
  invalidPhone: (field: string, country: string | undefined): FieldError =>
    bodyField(
      `/${field}`,
      'invalid_phone',
      country === undefined
        ? 'must begin with + and a country calling code, since no country is given'
        : `must be a phone number of ${country}, or begin with + and its country calling code`,
    ),
};
