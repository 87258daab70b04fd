import { ConfigError } from '@storefront/process';
import { z } from 'zod';
import type { OrderStore } from '../checkout/checkout.ts';

export const nextNumberUsage = `  next-number --number <number> [--year <year>]

    has the numbers of orders go on with this one, such as 4712 for ORD-2026-004712, after a restore: the numbers that
    were given after the backup are not given again. A number that was given already is never given again either: then
    it says which one comes next. The year is the present one (UTC) where none is given
`;

export const nextNumberOptions = { number: { type: 'string' }, year: { type: 'string' } } as const;

const wanted = z.object({
  number: z
    .string('is required')
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0')
    .transform(Number),
  year: z
    .string()
    .regex(/^\d{4}$/, 'must be a year')
    .transform(Number)
    .optional(),
});

/**
 * Has the numbers of orders go on with the given one. Returns what the command prints. Throws ConfigError for a wrong
 * value.
 */
export async function nextNumber(
  values: { readonly number?: string | undefined; readonly year?: string | undefined },
  store: Pick<OrderStore, 'continueNumbers'>,
): Promise<string> {
  const given = wanted.safeParse(values);
  if (!given.success)
    throw new ConfigError(given.error.issues.map(({ path, message }) => `--${path.join('.')} ${message}`).join('\n'));
  const { number, year = new Date().getUTCFullYear() } = given.data;
  const next = await store.continueNumbers(year, number);
  const shown = `ORD-${year}-${String(next).padStart(6, '0')}`;
  return next === number ? `${shown} is given next.` : `${shown} is given next: those below were given already.`;
}
