import { audited, type Actor, type Fact } from '@storefront/contracts';
import { userOf, type Redemption } from './redemption.ts';

/** What the audit log is told of a redemption that an administrator gives back. `redemption` is as it was before. */
export function auditOfRelease(redemption: Redemption, admin: Actor): Fact {
  const { id, orderRef, status, discount, shippingDiscount, currency } = redemption;
  return audited('engagement', admin, 'redemption-released', {
    object: { type: 'redemption', id },
    about: userOf(redemption),
    details: { orderRef, was: status, discount, shippingDiscount, currency },
  });
}
