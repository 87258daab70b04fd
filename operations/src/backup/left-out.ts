import type { ServiceName } from '@storefront/contracts';

/**
 * What no backup holds, because it must not come back: a session or a token that was ended since would live again. Without
 * the keys that signed them, access tokens are refused everywhere; identity makes new keys when it starts.
 */
const leftOut: Partial<Record<ServiceName, readonly string[]>> = {
  identity: ['sessions', 'signing_keys', 'mfa_tokens', 'challenges'],
};

export function isLeftOut(service: ServiceName, collection: string): boolean {
  return leftOut[service]?.includes(collection) ?? false;
}
