import { engagementErrors, engagementFields, notFound, type Actor, type engagementHttp } from '@storefront/contracts';
import { auditOfCampaign } from '../domain/campaigns/audit.ts';
import { addToList, assertTakesCodes, randomCode } from '../domain/campaigns/codes.ts';
import type { CampaignCodes } from '../store/campaign-codes.ts';
import type { Campaigns } from '../store/campaigns.ts';

interface Needs {
  readonly campaigns: Campaigns;
  readonly campaignCodes: CampaignCodes;
  readonly databaseNow: () => Date;
  /** Returns each whole number below its argument equally often; nobody can tell which one is next. */
  readonly randomBelow: (n: number) => number;
}

type Taken = (codes: readonly string[]) => Promise<ReadonlySet<string>>;

/** Few enough that drawing them never holds up other requests. */
const drawnAtOnce = 1000;

/**
 * Adds codes to a campaign, all of them or none, and returns them: own ones in the given order, random ones in alphabetical order.
 * Repeated for the same `batch` it adds nothing. Throws `code_taken` with every code that is taken, `campaign_without_codes`,
 * `campaign_not_in_state` and `too_many_campaign_codes`.
 */
export async function addCodes(
  { campaigns, campaignCodes, databaseNow, randomBelow }: Needs,
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
    (taken) => (generate ? drawCodes(generate, taken, randomBelow) : assertFree(codes ?? [], taken)),
    (list, count) => addToList(list, count, [auditOfCampaign('codes-added', campaign.state, actor, { count })]),
  );
  return codes ?? added.toSorted();
}

async function assertFree(codes: readonly string[], taken: Taken): Promise<readonly string[]> {
  const there = await taken(codes);
  const fields = codes.flatMap((code, place) =>
    there.has(code) ? [engagementFields.codeTaken(`/codes/${place}`)] : [],
  );
  if (fields.length > 0) throw engagementErrors.codeTaken().with({ fields });
  return codes;
}

async function drawCodes(
  { count, prefix, length }: NonNullable<engagementHttp.CodesToAdd['generate']>,
  taken: Taken,
  randomBelow: (n: number) => number,
): Promise<readonly string[]> {
  const codes = new Set<string>();
  while (codes.size < count) {
    const drawn = Array.from({ length: Math.min(count - codes.size, drawnAtOnce) }, () =>
      randomCode(prefix, length, randomBelow),
    );
    const there = await taken(drawn);
    for (const code of drawn) if (!there.has(code)) codes.add(code);
  }
  return [...codes];
}
