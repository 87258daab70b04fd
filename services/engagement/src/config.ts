import { isTimeZone } from '@storefront/calendar';
import { locale } from '@storefront/contracts';
import { configTypes, serviceConfig } from '@storefront/process';
import { z } from 'zod';

const sender = z.string().regex(/^(?:[^<>"@,;:\r\n]+ <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, {
  error: 'must be `Name <address>` or an address',
});

export const configSchema = z.object({
  ...serviceConfig,
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/.+/, { error: 'must be an smtp:// or smtps:// address' })
    .describe(
      'The mail server, with user and password where it needs them: `smtps://user:password@mail.example`, or `smtp://user:password@mail.example:587?requireTLS=true`.',
    ),
  SMTP_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe(
      'Connections to the mail server at once, besides at most five times as many on which it takes more than 1 s to accept ' +
        'a mail. Announcements leave one of them to other mail, where there are several.',
    ),
  SMTP_UNRECORDED: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(1)
    .describe(
      'How many mails, and how many mails of announcements, the mail server may have accepted before that is saved. As many may go out twice (under the same ' +
        '`Message-ID`) when the process is killed, besides those that it takes much longer for than for others. More are ' +
        'faster where the mail server takes long to accept one.',
    ),
  SMTP_DOUBT_DELAYS: z
    .string()
    .regex(/^\d{1,6},\d{1,6}$/, { error: 'must be two numbers of seconds: `120,900`' })
    .default('120,900')
    .transform((text) => text.split(',').map(Number))
    .describe(
      'For how many seconds a mail waits of which nobody knows whether the mail server has it: after its first attempt, and ' +
        'after its second, separated by a comma. After the third a person decides. An instance that is halted for longer ' +
        'than the first wait may have the mail repeated that it was sending.',
    ),
  MAIL_FROM: sender.describe('The sender of mails: `Shop <shop@example.com>`.'),
  MAIL_DOMAIN: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, { error: 'must be a domain name' })
    .describe('The domain in the `Message-ID` of mails.'),
  CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code' })
    .default('EUR')
    .describe(
      "The shop's currency (ISO 4217), the same as in catalog: that of carts, and of campaigns without any money.",
    ),
  SHOP_TIME_ZONE: z
    .string()
    .refine(isTimeZone, { error: 'must be a time zone of the IANA list, such as Europe/Berlin' })
    .default('UTC')
    .describe(
      'The time zone of times in mails, and of reports, the same as in billing. The sums of reports are kept by its days: once there are some, another zone here changes only in which zone reports are shown.',
    ),
  ANALYTICS_FACT_MONTHS: z.coerce
    .number()
    .int()
    .min(3)
    .max(120)
    .default(25)
    .describe(
      'For how many months each single fact is kept that reports are made of, and the sums of texts. Other sums of reports are kept for good.',
    ),
  ANALYTICS_EVENTS_PER_DAY: z.coerce
    .number()
    .int()
    .min(100)
    .max(1_000_000)
    .default(5_000)
    .describe(
      'How many events of `POST /v1/analytics/events` a user, or a visitor, may send a day. For an address of a client it is 20 times as many; of IPv6 for a network of 64 bits. Of who sends again, each instance of the service takes up to a hundredth of that ahead, which is then refused at the others.',
    ),
  ANALYTICS_TEXTS_PER_DAY: z.coerce
    .number()
    .int()
    .min(20)
    .max(100_000)
    .default(5_000)
    .describe(
      'Of how many different searched texts a day has sums, and how many new ones are noted a day; the rest counts as `other`. Of the searches of one address of a client the texts of a tenth of that are looked at.',
    ),
  ANALYTICS_PEOPLE_PER_TEXT: z.coerce
    .number()
    .int()
    .min(2)
    .max(1_000)
    .default(5)
    .describe('How many different people must have searched for a text before reports show it.'),
  SHOP_LOCALE: locale
    .default('en')
    .describe(
      'The language of mails and notifications to people who have chosen none, and to all administrators: `en` or `de`.',
    ),
  SHOP_LOGO_URL: configTypes.webAddress
    .optional()
    .describe(
      "The address of the shop's logo in mails, which they show 44 pixels high; without it they show its name.",
    ),
  SHOP_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: 'must be a colour such as #2f6f4f' })
    .default('#2f6f4f')
    .describe(
      "The shop's colour in mails, as `#rrggbb`. Text on it is black or white. As text, such as the name, it is made lighter or darker until it can be read.",
    ),
  SHOP_NAME: z.string().min(1).max(60).default('Storefront').describe("The shop's name in mails."),
  SHOP_URL: configTypes.webAddress.describe("The address of the shop's pages, for links in mails."),
  UNSUBSCRIBE_URL: configTypes.webAddress
    .optional()
    .describe(
      "The address of the shop's page that ends mails of a kind: the links in mails add `/` and a token, which the page sends to `POST /v1/notifications/unsubscribe/{token}`. Without it they lead to a page of the API. The one click of mail programs goes to the API in any case.",
    ),
  CODE_GUESSES_PER_USER: z.coerce
    .number()
    .int()
    .min(10)
    .max(10_000)
    .default(20)
    .describe('How many discount codes that do not exist a user may try in 15 minutes.'),
  CODE_GUESSES_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(10)
    .max(100_000)
    .default(200)
    .describe('The same for an address of a client; of IPv6 for a network of 64 bits.'),
  MAX_SHIPPING: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(10_000)
    .describe(
      'The most that shipping costs in this shop, in minor units. A shopper who states more can hold no discounts: they would use up the budget of a campaign with free shipping.',
    ),
  API_URL: configTypes.webAddress.describe(
    'The public address of the gateway, to which mail programs send the one click that ends such mails.',
  ),
  CODE_SEALING_KEY: configTypes.sealingKey.describe(
    'Decrypts the what identity and orders encrypt for mails: 32 bytes in base64url, the same there.',
  ),
});

export type EngagementConfig = z.output<typeof configSchema>;
