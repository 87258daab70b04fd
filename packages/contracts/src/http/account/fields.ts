import { z } from 'zod';
import { line } from '../common.ts';
import { countryCodes } from '../countries.ts';

// Whether it is a number of the country is judged by the service, which knows both.
export const phone = z
  .string()
  .trim()
  .max(32)
  .regex(/^\+?[0-9 ()./-]{3,32}$/, { error: 'must be a phone number' })
  .meta({ examples: ['+31 20 123 4567'] });

export const country = z
  .string()
  .trim()
  .toUpperCase()
  .pipe(z.enum(countryCodes, { error: 'must be a country code of ISO 3166-1, such as NL' }))
  .meta({ examples: ['NL'], description: 'ISO 3166-1 alpha-2.' });

export const state = line(100)
  .nullable()
  .meta({ description: 'State, province or region, where the country has them.', examples: ['Noord-Holland'] });
