import { z } from 'zod';

/** A stock keeping unit: the shop's own number of what is on its shelf. */
export const sku = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/, { error: 'must be letters, digits and . _ / - (at most 64)' })
  .meta({
    description: 'Unique over all products and variants; upper and lower case count as the same.',
    examples: ['TEA-0042'],
  });

export const stock = z
  .int()
  .min(0)
  .max(1_000_000_000)
  .meta({ examples: [120] });

export const weight = z
  .int()
  .min(0)
  .max(1_000_000_000)
  .nullable()
  .meta({ description: 'In grams, with its packaging; null where it is unknown.', examples: [350] });

/** The form in which SKUs are compared: upper and lower case count as the same. */
export function skuKey(of: string): string {
  return of.toUpperCase();
}
