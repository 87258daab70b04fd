import { notFound, withFacts, type Actor, type Decision, type engagementHttp } from '@storefront/contracts';
import * as domain from '../domain/campaigns/campaign.ts';
import { auditOfCampaign } from '../domain/campaigns/campaign.ts';
import type { Campaign } from '../domain/campaigns/rules.ts';
import type { Campaigns, CampaignWithUsage } from '../store/campaigns.ts';

export interface CampaignNeeds {
  readonly campaigns: Campaigns;
  readonly databaseNow: () => Date;
}

/**
 * The campaign that staff change. `expect` throws where the client has read another version than the stored
 * one.
 */
interface Addressed {
  readonly id: string;
  readonly actor: Actor;
  readonly expect: (version: number) => void;
}

/**
 * Creates a draft with this id; a second call with the same id changes nothing. `currency` is the shop's currency.
 * Throws `too_many_campaigns`.
 */
export function createCampaign(
  { campaigns, currency, databaseNow }: CampaignNeeds & { readonly currency: string },
  { id, input, actor }: { readonly id: string; readonly input: engagementHttp.CampaignCreation; readonly actor: Actor },
): Promise<CampaignWithUsage> {
  const { name, trigger } = input;
  const created = auditOfCampaign('campaign-created', { id, name }, actor, { trigger, discount: input.discount.type });
  const draft = () => withFacts(domain.createCampaign(input, { id, now: databaseNow(), currency }), created);
  return campaigns.add(id, draft, domain.assertRoomForOneMore);
}

/**
 * Changes fields of a campaign. Throws `campaign_active`, `campaign_not_in_state`, and `validation_failed` for fields
 * that contradict the stored ones.
 */
export function changeCampaign(
  needs: CampaignNeeds,
  input: engagementHttp.CampaignChange,
  addressed: Addressed,
): Promise<CampaignWithUsage> {
  return change(needs, addressed, ({ state, usage }) => {
    const decision = domain.changeCampaign(state, input, { now: needs.databaseNow(), usage });
    const fields = Object.keys(input).join(', ');
    return withFacts(decision, auditOfCampaign('campaign-changed', decision.result, addressed.actor, { fields }));
  });
}

const stageDecisions = {
  'campaign-activated': domain.activateCampaign,
  'campaign-paused': domain.pauseCampaign,
  'campaign-ended': domain.endCampaign,
} as const;
export type StageAction = keyof typeof stageDecisions;

/** Activates, pauses or ends a campaign. Throws `campaign_not_in_state`. */
export function changeStage(
  needs: CampaignNeeds,
  action: StageAction,
  addressed: Addressed,
): Promise<CampaignWithUsage> {
  return change(needs, addressed, ({ state }) =>
    withFacts(stageDecisions[action](state, needs.databaseNow()), auditOfCampaign(action, state, addressed.actor)),
  );
}

/** Deletes a campaign and its codes. Throws `campaign_redeemed`. */
export async function deleteCampaign(needs: CampaignNeeds, addressed: Addressed): Promise<void> {
  await change(needs, addressed, ({ state, usage }) =>
    withFacts(
      domain.deleteCampaign(state, needs.databaseNow(), usage),
      auditOfCampaign('campaign-deleted', state, addressed.actor),
    ),
  );
}

async function change(
  { campaigns }: CampaignNeeds,
  { id, expect }: Addressed,
  decide: (found: CampaignWithUsage) => Decision<Campaign, Campaign>,
): Promise<CampaignWithUsage> {
  const saved = await campaigns.change(id, (found) => {
    expect(found.version);
    return decide(found);
  });
  if (!saved) throw notFound('campaign');
  return saved;
}

const recordedAtOnce = 100;

/**
 * Records that campaigns have reached their end, and publishes an event for each. Every instance calls this function.
 * Only the first instance that commits the change publishes the event; the others leave the campaign unchanged. Returns
 * how many such campaigns were found.
 */
export async function recordEnds({ campaigns, databaseNow }: CampaignNeeds): Promise<number> {
  const ids = await campaigns.overdue(databaseNow(), recordedAtOnce);
  for (const id of ids) await campaigns.change(id, ({ state }) => domain.recordEnd(state, databaseNow()));
  return ids.length;
}
