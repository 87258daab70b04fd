import { identityHttp, type identityOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import type { SigningKeys } from '../secrets/signing-keys.ts';

// Shorter than the time for which a key is announced before it signs, so that every cache has the key by then.
const cacheSeconds = 30;

export function keyHandlers({
  signingKeys,
}: {
  readonly signingKeys: SigningKeys;
}): Pick<Handlers<typeof identityOperations>, 'getKeySet'> {
  return {
    getKeySet(_request, reply) {
      void reply.header('cache-control', `public, max-age=${cacheSeconds}`);
      return identityHttp.keySet.parse({ keys: signingKeys.published() });
    },
  };
}
