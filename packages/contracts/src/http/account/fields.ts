import { z } from 'zod';
import { line } from '../common.ts';

// The service checks whether the number belongs to the country, because only the service knows both.
export const phone = z
  .string()
  .trim()
  .max(32)
  .regex(/^\+?[0-9 ()./-]{3,32}$/, { error: 'must be a phone number' })
  .meta({ examples: ['+31 20 123 4567'] });

export const state = line(100)
  .nullable()
  .meta({ description: 'State, province or region, where the country has them.', examples: ['Noord-Holland'] });
