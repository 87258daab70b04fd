import type { engagementHttp } from '@storefront/contracts';
import { userOf } from '../domain/redemption.ts';
import type { Redemption } from '../domain/redemption.ts';

export function showRedemption(redemption: Redemption): engagementHttp.RedemptionBody {
  const { id, orderRef, segment, status, heldUntil, confirmedAt, releasedAt, evaluation } = redemption;
  return {
    id,
    orderRef,
    userId: userOf(redemption),
    segment,
    status,
    heldUntil: heldUntil?.toISOString() ?? null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    releasedAt: releasedAt?.toISOString() ?? null,
    createdAt: redemption.createdAt.toISOString(),
    updatedAt: redemption.updatedAt.toISOString(),
    evaluation,
  };
}
