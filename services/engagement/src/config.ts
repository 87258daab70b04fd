import { serviceConfig } from '@storefront/service-kit';
import { z } from 'zod';

const sealingKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, { error: 'must be 32 bytes in base64url: make them with `npm run secrets`' })
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')));

const sender = z.string().regex(/^(?:[^<>"@,;:\r\n]+ <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, {
  error: 'must be `Name <address>` or an address',
});

/** What engagement is told. */
export const configSchema = z.object({
  ...serviceConfig,
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/.+/, { error: 'must be an smtp:// or smtps:// address' })
    .describe('The mail server, with user and password where it wants them: `smtps://user:password@mail.example`.'),
  SMTP_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe('Conversations held with the mail server at once.'),
  SMTP_UNRECORDED: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(1)
    .describe(
      'Mails that may be out while nobody has written that down yet. As many may go out twice (under the same `Message-ID`) when the process is killed. More are faster where the mail server takes long to accept one.',
    ),
  MAIL_FROM: sender.describe('Who mails come from: `Shop <shop@example.com>`.'),
  MAIL_DOMAIN: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, { error: 'must be a domain name' })
    .describe('The domain in the `Message-ID` of mails.'),
  SHOP_NAME: z.string().min(1).max(60).default('Storefront').describe("The shop's name, as mails say it."),
  SHOP_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .describe("The shop's pages, where links in mails lead."),
  CODE_SEALING_KEY: sealingKey.describe(
    'Opens the one-time codes that identity seals; the same key there. 32 bytes, base64url.',
  ),
});

export type EngagementConfig = z.output<typeof configSchema>;
