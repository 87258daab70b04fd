import { Problem } from '@storefront/service-kit';

const bearer = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i;

/** 401 for a token that was sent but is not good. */
export function invalidToken(description: string): Problem {
  return new Problem(401, 'invalid_token', `${description}.`, {
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${description}"` },
  });
}

/**
 * The token of an `Authorization` header, or nothing where there is none. The header must come once and be a bearer token;
 * anything else is refused rather than ignored, so that nobody takes a broken login for no login.
 */
export function bearerToken(header: string | undefined, rawHeaders: readonly string[]): string | undefined {
  if (header === undefined) return undefined;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  const token = count === 1 ? bearer.exec(header)?.[1] : undefined;
  if (token === undefined) throw invalidToken('The Authorization header must be one bearer access token');
  return token;
}
