import { createHash } from 'node:crypto';
import { idFromUuid, type IdPrefix } from '@storefront/contracts';

/** Makes an id from texts. The same texts always give the same id, so that the same thing is stored only once. */
export function hashedId(prefix: IdPrefix, ...texts: readonly string[]): string {
  const hex = createHash('sha256')
    .update([prefix, ...texts].join('\0'))
    .digest('hex');
  return idFromUuid(
    prefix,
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}
