import { serviceConfig } from '@storefront/process';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceConfig,
  SERVICES: z
    .string()
    .transform((text, context) => {
      const addresses = new Map<string, string[]>();
      for (const entry of text.split(',')) {
        const [, name, url] = /^\s*([a-z][a-z0-9-]{0,63})=(https?:\/\/\S+?)\/?\s*$/.exec(entry) ?? [];
        if (!name || !url) {
          context.addIssue({
            code: 'custom',
            message: `must be name=http://… and so on, by commas; "${entry}" is not`,
          });
        } else addresses.set(name, [...(addresses.get(name) ?? []), url]);
      }
      return Object.fromEntries(addresses);
    })
    .describe(
      'Whom it watches: `identity=http://…,gateway=http://…`; a name comes once for each instance, or once with a host that has the addresses of all of them.',
    ),
  PROBE_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(15_000)
    .describe('How often it looks at each service for the history; three times as often at one that is not ready.'),
});

export type HealthConfig = z.output<typeof configSchema>;
