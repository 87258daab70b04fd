import type { MeasuredFact } from '../report.ts';
import type { TestCampaign } from './campaigns.ts';
import { countingAtEnd, type RedeemedPart, type TestOrder } from './orders.ts';

/** A redemption as engagement stores it. */
export interface StoredRedemption {
  readonly _id: string;
  readonly owner: string;
  /** Of a redemption for an order of the orders service, the id of that. */
  readonly orderRef: string;
  readonly status: 'held' | 'confirmed' | 'released';
  readonly parts: readonly RedeemedPart[];
  readonly heldUntil: Date | null;
  readonly confirmedAt: Date | null;
}

/** What is stored about discounts at the end, and what the API says of the campaigns. */
export interface StoredDiscounts {
  readonly redemptions: readonly StoredRedemption[];
  readonly usage: readonly { readonly _id: string; readonly redemptions: number; readonly amount: number }[];
  readonly codes: readonly { readonly _id: string; readonly uses: number }[];
  readonly shoppers: readonly { readonly _id: string; readonly uses: Readonly<Record<string, number>> }[];
  /** By the id of the campaign; undefined where the API did not answer. */
  readonly shown: ReadonlyMap<string, Usage | undefined>;
  /** As `shown`, of all days together. */
  readonly performance: ReadonlyMap<string, Performance | undefined>;
}

/** What the API says a campaign brought. */
export interface Performance extends Usage {
  readonly released: number;
  readonly customers: number;
}

/** What was taken of a campaign. */
export interface Usage {
  readonly redemptions: number;
  /** In cents. */
  readonly amount: number;
}

// Redemptions without an account, and those of accounts that were erased, count for no user.
const nobody = new Set(['guest', 'erased']);

/**
 * Compares three accounts of what was given: the usage that is stored and shown, the redemptions that are held or confirmed, and
 * the answers to the orders.
 */
export function accountsOf(
  campaigns: readonly TestCampaign[],
  orders: readonly TestOrder[],
  stored: StoredDiscounts,
): MeasuredFact[] {
  const allParts = stored.redemptions.flatMap((redemption) =>
    redemption.parts.map((part) => ({ ...part, ...redemption })),
  );
  const parts = allParts.filter(({ status }) => status !== 'released');
  const usageOf = new Map(stored.usage.map((each) => [each._id, each]));

  const notTheSum = campaigns.flatMap(({ id, name }) => {
    const sum = sumOf(parts.filter((part) => part.campaignId === id));
    const kept = usageOf.get(id);
    const shown = stored.shown.get(id);
    const isSame = [kept, shown].every(
      (usage) => usage?.redemptions === sum.redemptions && usage.amount === sum.amount,
    );
    return isSame ? [] : [`${name}: ${show(kept)} stored, ${show(shown)} shown, ${show(sum)} redeemed`];
  });
  const unexplained = campaigns.flatMap((campaign) => {
    const { atLeast, atMost } = boundsOf(campaign, orders);
    // What orders take is compared with the orders.
    const asked = parts.filter(({ orderRef }) => !orderRef.startsWith('ord_'));
    const sum = sumOf(asked.filter((part) => part.campaignId === campaign.id));
    const isWithin =
      atLeast.redemptions <= sum.redemptions &&
      sum.redemptions <= atMost.redemptions &&
      atLeast.amount <= sum.amount &&
      sum.amount <= atMost.amount;
    return isWithin ? [] : [`${campaign.name}: ${show(sum)}, expected ${show(atLeast)} to ${show(atMost)}`];
  });
  const performanceDiffers = campaigns.flatMap(({ id, name }) => {
    const ofCampaign = allParts.filter((part) => part.campaignId === id);
    const expected = performanceFrom(ofCampaign);
    const shown = stored.performance.get(id);
    const isSame =
      shown?.redemptions === expected.redemptions &&
      shown.amount === expected.amount &&
      shown.released === expected.released &&
      // Users who were erased stay counted, but nobody knows any more how many they were.
      expected.customers <= shown.customers &&
      shown.customers <= expected.customers + ofCampaign.filter(({ owner }) => owner === 'erased').length;
    return isSame ? [] : [`${name}: ${JSON.stringify(shown)} shown, ${JSON.stringify(expected)} redeemed`];
  });
  const usedCodes = countEach(parts.flatMap(({ code }) => (code === null ? [] : [code])));
  const countedCodes = new Map(stored.codes.map(({ _id, uses }) => [_id, uses]));
  const userUses = parts.flatMap(({ owner, campaignId }) => (nobody.has(owner) ? [] : [`${owner} of ${campaignId}`]));
  const countedUses = stored.shoppers.flatMap(({ _id, uses }) =>
    Object.entries(uses).map(([campaignId, count]): [string, number] => [`${_id} of ${campaignId}`, count]),
  );
  return [
    none('campaigns whose usage is not the sum of their redemptions', notTheSum),
    none('campaigns whose usage the answers do not explain', unexplained),
    none('campaigns whose performance is not that of their redemptions', performanceDiffers),
    none('codes whose uses are not the number of their redemptions', differences(countedCodes, usedCodes)),
    none(
      'users whose uses of a campaign are not the number of their redemptions',
      differences(new Map(countedUses), countEach(userUses)),
    ),
    none(
      'redemptions that are still held',
      stored.redemptions
        .filter(({ status }) => status === 'held')
        .map(({ _id, heldUntil }) => `${_id} until ${heldUntil?.toISOString()}`),
    ),
  ];
}

/** What the answers say was given in the end: at least that of the certain orders, at most that of the uncertain ones too. */
function boundsOf(
  campaign: TestCampaign,
  orders: readonly TestOrder[],
): { readonly atLeast: Usage; readonly atMost: Usage } {
  const atLeast = { redemptions: 0, amount: 0 };
  const atMost = { redemptions: 0, amount: 0 };
  for (const order of orders) {
    const bounds = countingAtEnd(order);
    const amount = amountOf(campaign, order);
    if (amount === null) continue;
    atLeast.redemptions += bounds.atLeast;
    atLeast.amount += bounds.atLeast * amount;
    atMost.redemptions += bounds.atMost;
    atMost.amount += bounds.atMost * amount;
  }
  return { atLeast, atMost };
}

/** What the campaign takes off the order, at most that where no answer has said it; null where it takes nothing off. */
function amountOf({ id, codes, mostOff }: TestCampaign, { redemption, body, subtotal }: TestOrder): number | null {
  if (redemption) return redemption.parts.find(({ campaignId }) => campaignId === id)?.amount ?? null;
  const isAsked = codes.length === 0 || codes.some(({ code }) => body.codes.includes(code));
  return isAsked ? mostOff(subtotal) : null;
}

function sumOf(parts: readonly RedeemedPart[]): Usage {
  return { redemptions: parts.length, amount: parts.reduce((sum, { amount }) => sum + amount, 0) };
}

/** What redemptions come to; those of users who were erased are no customers. */
function performanceFrom(parts: readonly (RedeemedPart & StoredRedemption)[]): Performance {
  const counting = parts.filter(({ status }) => status !== 'released');
  const customers = new Set(counting.map(({ owner }) => owner).filter((owner) => !nobody.has(owner)));
  return { ...sumOf(counting), released: parts.length - counting.length, customers: customers.size };
}

const show = (usage: Usage | undefined) => (usage ? `${usage.redemptions} of ${usage.amount} cents` : 'nothing');

function countEach(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Where the counted numbers are not the right ones; a name that is missing counts as 0. */
function differences(counted: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): string[] {
  return [...new Set([...counted.keys(), ...right.keys()])].flatMap((name) => {
    const [found, expected] = [counted.get(name) ?? 0, right.get(name) ?? 0];
    return found === expected ? [] : [`${name}: ${found}, not ${expected}`];
  });
}

const mostShown = 5;

/** A fact that must be 0; the first of what was found are part of its text. */
export function none(what: string, found: readonly string[]): MeasuredFact {
  const shown = found.length === 0 ? '' : ` (${found.slice(0, mostShown).join('; ')})`;
  return { what: `${what}${shown}`, found: found.length, atMost: 0 };
}
