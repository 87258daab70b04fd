import type { Principal } from '@storefront/access-token';

/** Whom an access token is for, unchecked: the bench has just been given it. */
export function decodeClaims(accessToken: string): Principal {
  const [, payload = ''] = accessToken.split('.');
  const { sub, role, sid, ver } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Principal;
  return { sub, role, sid, ver };
}
