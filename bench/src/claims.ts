import type { Principal } from '@storefront/access-token';

/** Reads the claims of an access token without verifying it: the bench has received it from the gateway itself. */
export function decodeClaims(accessToken: string): Principal {
  const [, payload = ''] = accessToken.split('.');
  const { sub, role, sid, ver } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Principal;
  return { sub, role, sid, ver };
}
