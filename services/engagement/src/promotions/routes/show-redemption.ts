import type { engagementHttp } from '@storefront/contracts';
import { userOf, type Redemption } from '../domain/redemptions/redemption.ts';

export function showRedemption(redemption: Redemption): engagementHttp.RedemptionBody {
  const { id, orderRef, segment, status, heldUntil, confirmedAt, releasedAt, placedAt, retakenAt } = redemption;
  const { placedFor, beyondLimits, parts, evaluation } = redemption;
  return {
    id,
    orderRef,
    userId: userOf(redemption),
    segment,
    status,
    heldUntil: heldUntil?.toISOString() ?? null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    releasedAt: releasedAt?.toISOString() ?? null,
    placedFor,
    placedAt: placedAt?.toISOString() ?? null,
    retakenAt: retakenAt?.toISOString() ?? null,
    beyondLimits: [...beyondLimits],
    campaigns: parts.map(({ campaignId, code, amount }) => ({ campaignId, code, amount })),
    createdAt: redemption.createdAt.toISOString(),
    updatedAt: redemption.updatedAt.toISOString(),
    evaluation,
  };
}
