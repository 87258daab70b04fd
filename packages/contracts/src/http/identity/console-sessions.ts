import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { operation, operationsOf } from '../operation.ts';
import { refreshRequest } from './login.ts';

/** The cookie with the refresh token of the console of a shop's staff. */
export const consoleCookie = 'storefront-console';
/** The cookie is sent to the operations of this file alone. */
export const consoleCookiePath = '/v1/auth/console';

export const consoleTokens = z
  .object({
    accessToken: z.string().meta({ description: 'A JWT for the header `Authorization: Bearer …`.' }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().meta({ description: 'Seconds until the access token expires.', examples: [900] }),
    idleSeconds: z
      .int()
      .meta({ description: 'After so many seconds without a refresh the session ends.', examples: [1800] }),
  })
  .meta({ id: 'ConsoleTokens', description: "The refresh token is in a cookie that scripts can't read." });

const cookieHeaders = z.object({
  cookie: z
    .string()
    .max(8192)
    .optional()
    .meta({
      description: `Has the cookie \`${consoleCookie}\`.`,
      examples: [`${consoleCookie}=rt_q8N5cWb0vYz3kL7mT1xR4g`],
    }),
  origin: z
    .string()
    .max(512)
    .optional()
    .meta({ description: 'The origin of the page, as browsers send it.', examples: ['https://shop.example'] }),
});

const setsCookie = { 'Set-Cookie': `\`${consoleCookie}\`: HttpOnly, SameSite=Strict, for ${consoleCookiePath}.` };
const tags = ['auth'];
const ofConsole = { access: 'public', sameOrigin: true, budget: 'refresh', headers: cookieHeaders, tags } as const;

export const consoleSessionOperations = operationsOf(
  operation({
    id: 'keepConsoleSession',
    method: 'POST',
    path: '/v1/auth/console/session',
    ...ofConsole,
    summary: 'Keep a session in a cookie, for the console',
    description:
      'Exchanges the refresh token of a login that was just made for one in a cookie that no script can read. From then ' +
      'on only `POST /v1/auth/console/refresh` refreshes the session, and it ends where that is not called for half an ' +
      'hour. Only for pages of the same origin as the API.',
    body: refreshRequest,
    responses: { 200: { body: consoleTokens, headers: setsCookie } },
    errors: [identityErrors.invalidRefreshToken],
  }),
  operation({
    id: 'refreshConsoleSession',
    method: 'POST',
    path: '/v1/auth/console/refresh',
    ...ofConsole,
    summary: 'Get a new access token for the session in the cookie',
    description: 'The refresh token of the cookie works once; the answer sets the next one.',
    responses: { 200: { body: consoleTokens, headers: setsCookie } },
    errors: [identityErrors.invalidRefreshToken],
  }),
  operation({
    id: 'endConsoleSession',
    method: 'DELETE',
    path: '/v1/auth/console/session',
    ...ofConsole,
    summary: 'End the session in the cookie',
    description: 'Its tokens are refused from this answer on. Without a living session it only removes the cookie.',
    responses: { 204: { headers: setsCookie } },
  }),
);
