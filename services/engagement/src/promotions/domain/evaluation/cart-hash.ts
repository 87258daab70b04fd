import { createHash } from 'node:crypto';
import type { engagementHttp } from '@storefront/contracts';

/** Equal for requests about the same cart, however long it is held and whatever discount is expected. */
export function cartHashOf(asked: engagementHttp.CartToRedeem, currency: string): string {
  const { lines, shipping = null, codes, segment = null, userId = null } = asked;
  const cart = [
    currency,
    lines.map(({ lineId, productId, quantity, unitPrice = null }, index) => [
      lineId ?? String(index + 1),
      productId,
      quantity,
      unitPrice,
    ]),
    shipping,
    codes,
    segment,
    userId,
  ];
  return createHash('sha256').update(JSON.stringify(cart)).digest('base64url');
}
