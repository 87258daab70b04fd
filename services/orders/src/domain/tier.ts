import { z } from 'zod';

/** The tier of a buyer decides which prices the buyer pays. */
export const tier = z.enum(['retail', 'trade']);
export type Tier = z.infer<typeof tier>;

/** The tier of a caller. Guests and staff pay the retail prices. */
export function tierOf(caller: { readonly role: string } | null): Tier {
  return caller?.role === 'trade' ? 'trade' : 'retail';
}
