import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { emailAddress, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { user } from './user.ts';

const longestPassword = 128;
// The limit for the typed text is larger: one composed character may be typed as up to four, a letter and its marks.
const longestTyped = 4 * longestPassword;

// The password must be long but needs no special characters (NIST 800-63B-4). The minimum length is a setting of the
// service. The text is composed first (NFC), because keyboards compose the same letters differently. Unpaired
// surrogates are refused, because all of them would be hashed as the same replacement character.
export const password = z
  .string()
  .max(longestTyped)
  .transform((text) => text.normalize('NFC'))
  .pipe(
    z
      .string()
      .min(1)
      .refine((text) => Array.from(text).length <= longestPassword, {
        error: `must have at most ${longestPassword} characters`,
      })
      .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: 'must not contain control characters' }),
  )
  .meta({
    format: 'password',
    minLength: 1,
    maxLength: longestTyped,
    pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`,
    description: `At most ${longestPassword} characters, each letter counted with its marks.`,
    examples: ['a quiet lake in the morning'],
  });

/** A token by which a known device is recognised. */
export const deviceToken = z
  .string()
  .regex(/^[\w-]{22}$/, { error: 'must be a device token' })
  .meta({
    description: 'Of the last login on this device: with it, a login is not slowed by the failures of others.',
    examples: ['q8N5cWb0vYz3kL7mT1xR4g'],
  });

export const credentials = z.strictObject({ email: emailAddress, password, deviceToken: deviceToken.optional() }).meta({
  id: 'Credentials',
  examples: [{ email: 'ada@example.com', password: 'a quiet lake in the morning' }],
});

export const refreshRequest = z
  .strictObject({
    refreshToken: z
      .string()
      .max(512)
      .regex(/^[\w.-]+$/, { error: 'must be a refresh token' })
      .meta({ description: 'The refresh token of the last login or refresh.' }),
  })
  .meta({ id: 'RefreshRequest', examples: [{ refreshToken: 'pZ0c3bX1.kQ8vT5mN2rL7yW4j' }] });

const tokens = {
  accessToken: z.string().meta({ description: 'A JWT for the header `Authorization: Bearer …`.' }),
  refreshToken: z.string().meta({ description: 'Gets the next pair of tokens, once.' }),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().meta({ description: 'Seconds until the access token expires.', examples: [900] }),
  refreshExpiresIn: z.int().meta({ description: 'Seconds until the refresh token expires.', examples: [2592000] }),
};

export const tokenPair = z.object(tokens).meta({ id: 'TokenPair' });

export const tokenPairWithUser = z.object({ ...tokens, deviceToken, user }).meta({ id: 'TokenPairWithUser' });

export const revoked = z
  .object({ revoked: z.literal(true), revokedAt: timestamp })
  .meta({ id: 'Revoked', description: 'All tokens issued before `revokedAt` are revoked.' });

const tags = ['auth'];

export const loginOperations = operationsOf(
  operation({
    id: 'logIn',
    method: 'POST',
    path: '/v1/auth/login',
    access: 'public',
    budget: 'auth',
    tags,
    summary: 'Log in by password',
    description:
      'After five failed logins of one email from one address within 15 minutes, each further one from there has to ' +
      'wait; `Retry-After` says how long. Failures elsewhere do not slow an address or a device that has logged in ' +
      'within 30 days. A trade applicant who has to add something gets a session that may only submit the application ' +
      'again (`POST /v1/trade-accounts/me/resubmit`). A user with a second factor gets `mfa_required`, with what ' +
      'completes the login.',
    body: credentials,
    responses: { 200: tokenPairWithUser },
    errors: [
      identityErrors.invalidCredentials,
      identityErrors.emailNotVerified,
      identityErrors.accountPendingApproval,
      identityErrors.accountRejected,
      identityErrors.accountSuspended,
      identityErrors.accountDisabled,
      identityErrors.tooManyAttempts,
      identityErrors.mfaRequired,
    ],
  }),
  operation({
    id: 'refreshTokens',
    method: 'POST',
    path: '/v1/auth/refresh',
    access: 'public',
    budget: 'refresh',
    tags,
    summary: 'Exchange a refresh token for a new pair of tokens',
    description:
      'A refresh token works once. Sent again within 20 seconds from the same kind of device, it is answered with the ' +
      'very same pair, once, so that a lost answer or a second tab costs nobody their session. Any other use of it ends ' +
      'the session.',
    body: refreshRequest,
    responses: { 200: tokenPair },
    errors: [identityErrors.invalidRefreshToken],
  }),
  operation({
    id: 'logOut',
    method: 'POST',
    path: '/v1/auth/logout',
    access: 'user',
    alsoFor: ['applicant', 'enrolling'],
    budget: 'ending',
    tags,
    summary: 'Log out everywhere',
    description: 'Revokes all tokens of the caller, on every device. They are refused from this answer on.',
    responses: { 200: revoked },
    errors: [identityErrors.invalidCredentials],
  }),
);
