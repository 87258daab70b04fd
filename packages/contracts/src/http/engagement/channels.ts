import { z } from 'zod';

export const channel = z.enum(['IN_APP', 'EMAIL', 'SMS', 'PUSH']);
export type Channel = z.infer<typeof channel>;

/** The subject of a message. Users have preferences for each category. `offers` are announced campaigns. */
export const category = z.enum(['security', 'account', 'orders', 'invoices', 'wishlist', 'marketing', 'offers']);
export type Category = z.infer<typeof category>;

export const notificationType = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+([.-][a-z0-9]+)*$/, { error: 'must be lower-case words joined by - or .' })
  .meta({ description: 'What kind of notification it is.', examples: ['trade-account-approved'] });
