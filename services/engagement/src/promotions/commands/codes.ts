import {
  changed,
  engagementErrors,
  engagementFields,
  notFound,
  type Actor,
  type engagementHttp,
} from '@storefront/contracts';
import { auditOfCampaign } from '../domain/campaigns/campaign.ts';
import { addToList, assertTakesCodes, randomCode } from '../domain/campaigns/codes.ts';
import type { CampaignCodes } from '../store/campaign-codes.ts';
import type { Campaigns } from '../store/campaigns.ts';

export interface CodeNeeds {
  readonly campaigns: Campaigns;
  readonly campaignCodes: CampaignCodes;
  readonly databaseNow: () => Date;
  /** Returns an unpredictable whole number: at least 0 and less than its argument, each equally often. */
  readonly randomBelow: (n: number) => number;
}

/** Returns which of the codes exist already, in any campaign. */
type FindExisting = (codes: readonly string[]) => Promise<ReadonlySet<string>>;

/** This number is small enough that drawing codes never holds up other requests. */
const drawnAtOnce = 1000;

/**
 * Adds codes to a campaign, all of them or none, and returns them: given codes in the given order, random ones in
 * alphabetical order. A second call with the same `batch` adds nothing. Throws `code_taken` with every code that
 * exists, `campaign_without_codes`, `campaign_not_in_state` and `too_many_campaign_codes`.
 */
export async function addCodes(
  { campaigns, campaignCodes, databaseNow, randomBelow }: CodeNeeds,
  {
    campaignId,
    batch,
    input,
    actor,
  }: {
    readonly campaignId: string;
    readonly batch: string;
    readonly input: engagementHttp.CodesToAdd;
    readonly actor: Actor;
  },
): Promise<readonly string[]> {
  const campaign = await campaigns.load(campaignId);
  if (!campaign) throw notFound('campaign');
  const now = databaseNow();
  assertTakesCodes(campaign.state, now);
  const { codes, generate, usesPerCode = null } = input;
  const maximumUses = generate ? generate.usesPerCode : usesPerCode;
  const added = await campaignCodes.add(
    { id: batch, campaignId, createdAt: now, maximumUses },
    (existing) => (generate ? drawCodes(generate, existing, randomBelow) : assertFree(codes ?? [], existing)),
    (list, count) => addToList(list, count, [auditOfCampaign('codes-added', campaign.state, actor, { count })]),
  );
  return codes ?? added.toSorted();
}

async function assertFree(codes: readonly string[], findExisting: FindExisting): Promise<readonly string[]> {
  const existing = await findExisting(codes);
  const fields = codes.flatMap((code, index) =>
    existing.has(code) ? [engagementFields.codeTaken(`/codes/${index}`)] : [],
  );
  if (fields.length > 0) throw engagementErrors.codeTaken().with({ fields });
  return codes;
}

async function drawCodes(
  { count, prefix, length }: NonNullable<engagementHttp.CodesToAdd['generate']>,
  findExisting: FindExisting,
  randomBelow: (n: number) => number,
): Promise<readonly string[]> {
  const codes = new Set<string>();
  while (codes.size < count) {
    const drawn = Array.from({ length: Math.min(count - codes.size, drawnAtOnce) }, () =>
      randomCode(prefix, length, randomBelow),
    );
    const existing = await findExisting(drawn);
    for (const code of drawn) if (!existing.has(code)) codes.add(code);
  }
  return [...codes];
}

/**
 * Ends a code of a campaign; a code that has ended does not change. Throws 404 where the campaign or the code does not
 * exist.
 */
export async function endCode(
  { campaigns, campaignCodes, databaseNow }: Omit<CodeNeeds, 'randomBelow'>,
  { campaignId, code, actor }: { readonly campaignId: string; readonly code: string; readonly actor: Actor },
): Promise<void> {
  const campaign = await campaigns.load(campaignId);
  if (!campaign) throw notFound('campaign');
  const ended = auditOfCampaign('code-ended', campaign.state, actor, { code });
  const exists = await campaignCodes.end({ id: code, campaignId }, databaseNow(), (list) => changed(list, [ended]));
  if (!exists) throw notFound('code');
}
