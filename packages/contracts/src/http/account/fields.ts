import { z } from 'zod';
import { line } from '../common.ts';

// Whether it is a number of the country is judged by the service, which knows both.
export const phone = z
  .string()
  .trim()
  .max(32)
  .regex(/^\+?[0-9 ()./-]{3,32}$/, { error: 'must be a phone number' })
  .meta({ examples: ['+31 20 123 4567'] });

export const state = line(100)
  .nullable()
  .meta({ description: 'State, province or region, where the country has them.', examples: ['Noord-Holland'] });
