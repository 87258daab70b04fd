import { z } from 'zod';

export const slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must be lower-case letters and digits, joined by hyphens' })
  .meta({ description: 'Its name in web addresses; unique.', examples: ['loose-leaf-tea'] });
