import { http, identityHttp } from '@storefront/contracts';
import { configTypes, serviceConfig } from '@storefront/process';
import { z } from 'zod';

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

export const configSchema = z.object({
  ...serviceConfig,
  CODE_SECRET: configTypes.secret.describe(
    'Keys the hashes of one-time codes, and of emails and addresses in the limits of codes and logins.',
  ),
  CODE_SEALING_KEY: configTypes.sealingKey.describe(
    'Encrypts one-time codes on their way to the mail: 32 bytes in base64url, the same as in engagement.',
  ),
  KEY_ENCRYPTION_SECRET: configTypes.secret.describe(
    'Encrypts the private signing keys and the keys of persons in the audit log.',
  ),
  ACCESS_TOKEN_ISSUER: z.string().min(1).default('storefront').describe('`iss` of access tokens.'),
  ACCESS_TOKEN_AUDIENCE: z.string().min(1).default('storefront-api').describe('`aud` of access tokens.'),
  ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(10).max(3600).default(900).describe('Life of an access token.'),
  REFRESH_TOKEN_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .default(30 * 24 * 60 * 60)
    .describe('Life of a refresh token that is not used.'),
  SESSION_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .default(90 * 24 * 60 * 60)
    .describe('Life of a session, however often its tokens are refreshed. Then the user logs in again.'),
  CONSOLE_IDLE_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .default(30 * 60)
    .describe('After so many seconds without use a session of the console ends.'),
  PASSWORD_MIN_LENGTH: z.coerce.number().int().min(8).max(64).default(8).describe('Shortest password, in characters.'),
  ADMIN_MFA: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('`required`: staff without a second factor can do nothing but set one up.'),
  WEBAUTHN_RP_ID: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, { error: 'must be a domain in lower case, without a port' })
    .default('localhost')
    .describe('The domain that passkeys are bound to, such as `shop.example`. Another one makes all of them useless.'),
  WEBAUTHN_ORIGINS: z
    .string()
    .default('http://localhost:3000')
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .refine((origins) => origins.every(isOrigin), { error: 'must be origins such as https://shop.example' })
    .describe('Origins of the pages that may use passkeys, separated by commas.'),
  SHOP_NAME: z.string().min(1).max(60).default('Storefront').describe("The shop's name in authenticator apps."),
  ADMIN_EMAIL: http.emailAddress
    .optional()
    .describe('An administrator with this email is created at the start, unless the email has an account.'),
  ADMIN_PASSWORD: identityHttp.password.optional().describe('The password of that administrator.'),
});

export type IdentityConfig = z.output<typeof configSchema>;
