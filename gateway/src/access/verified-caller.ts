import type { Principal, VerifiedAccess } from '@storefront/access-token';

/** The caller of a request, whose access token or API token was verified. Times are in Unix seconds. */
export type VerifiedCaller = Principal & Pick<VerifiedAccess, 'exp'>;
