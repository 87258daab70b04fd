import { commonErrors } from '@storefront/contracts';
import { isApiToken } from './api-tokens.ts';

const bearer = /^Bearer ([\w.-]+)$/i;
const accessToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Returns the token of the `Authorization` header; undefined where there is no such header. The header must come once
 * and hold a bearer token. Anything else throws 401, as for a token that is not valid.
 */
export function bearerToken(header: string | undefined, rawHeaders: readonly string[]): string | undefined {
  if (header === undefined) return undefined;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  const token = count === 1 ? bearer.exec(header)?.[1] : undefined;
  if (token === undefined || !(accessToken.test(token) || isApiToken(token)))
    throw commonErrors.invalidToken('The Authorization header must be one bearer token');
  return token;
}
