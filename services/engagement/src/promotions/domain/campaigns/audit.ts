import { audited, type Actor, type AuditAction, type AuditDetails, type Fact } from '@storefront/contracts';
import { userOf, type Redemption } from '../redemptions/redemption.ts';

type CampaignAction = Extract<AuditAction, `campaign-${string}` | 'codes-added' | 'code-ended'>;

/** What the audit log is told of what an administrator did with a campaign. */
export function auditOfCampaign(
  action: CampaignAction,
  { id, name }: { readonly id: string; readonly name: string },
  actor: Actor,
  details: AuditDetails = {},
): Fact {
  return audited('engagement', actor, action, { object: { type: 'campaign', id }, details: { name, ...details } });
}

/** What the audit log is told of a redemption that an administrator gives back. `redemption` is as it was before. */
export function auditOfRelease(redemption: Redemption, admin: Actor): Fact {
  const { id, orderRef, status, discount, shippingDiscount, currency } = redemption;
  return audited('engagement', admin, 'redemption-released', {
    object: { type: 'redemption', id },
    about: userOf(redemption),
    details: { orderRef, was: status, discount, shippingDiscount, currency },
  });
}
