import { audited, type Actor, type AuditAction, type AuditDetails, type Fact } from '@storefront/contracts';

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
