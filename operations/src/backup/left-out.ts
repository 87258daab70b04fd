import type { ServiceName } from '@storefront/contracts';

/**
 * Collections that are in no backup. If they were restored, a session or token that was ended after the backup would be
 * valid again. Without the keys that signed them, old access tokens are refused everywhere. Identity makes new keys
 * when it starts.
 */
const leftOut: Partial<Record<ServiceName, readonly string[]>> = {
  identity: ['sessions', 'signing_keys', 'mfa_tokens', 'challenges'],
};

export function isLeftOut(service: ServiceName, collection: string): boolean {
  return leftOut[service]?.includes(collection) ?? false;
}
