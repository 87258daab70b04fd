import { commonErrors } from '@storefront/contracts';
import type { ErasedUsers, InContext, Loaded, Repository, Transaction } from '@storefront/mongo';
import { notBefore } from '../domain/campaigns/rules.ts';
import type { RunningCampaign, RunningCampaigns } from '../store/running-campaigns.ts';
import { dayOf, type CampaignRedemption } from '../domain/campaign-days.ts';
import type { CampaignDays } from '../store/campaign-days.ts';
import type { CompiledCampaign } from '../domain/evaluation/compiled-campaigns.ts';
import type { Candidates } from '../domain/evaluation/evaluate.ts';
import { createCounts, type Counts } from '../domain/redemptions/counts.ts';
import { userOf, type Redemption, type StoredRedemption } from '../domain/redemptions/redemption.ts';
import {
  createDecider,
  idsOf,
  isForAnother,
  openForsOf,
  orderIdsOf,
  type Change,
  type HoldForOrder,
  type Outcome,
  type Redeem,
  type Step,
} from '../domain/redemptions/steps.ts';
import type { OrderDiscounts } from '../domain/redemptions/order-discounts.ts';
import type { OrderDiscountsStore } from '../store/order-discounts.ts';
import type { CountedWithVersion, LimitCounts } from '../store/limit-counts.ts';
import type { Redemptions } from '../store/redemptions.ts';

export interface StepNeeds {
  readonly redemptions: Redemptions;
  readonly orderDiscounts: OrderDiscountsStore;
  readonly limitCounts: LimitCounts;
  readonly campaignDays: Pick<CampaignDays, 'count'>;
  readonly runningCampaigns: RunningCampaigns;
  readonly erasedUsers: Pick<ErasedUsers, 'among'>;
  readonly databaseNow: () => Date;
}

/** The result of a step: the redemption after the step, or why the step was refused. */
export type StepResult = Exclude<Outcome, { kind: 'postponed' | 'changed' }> | ChangedResult;
interface ChangedResult {
  readonly kind: 'changed';
  readonly redemption: Redemption;
  readonly isNew: boolean;
}

/** Thrown where campaigns have changed since they were read into memory. The transaction must then start again. */
class CampaignsChanged extends Error {
  override readonly name = 'CampaignsChanged';
}

/** The campaigns in memory, of this version, and, for each cart, the automatic campaigns that could apply to it. */
interface KnownCampaigns {
  readonly version: number;
  readonly byId: ReadonlyMap<string, RunningCampaign>;
  readonly touching: ReadonlyMap<Redeem | HoldForOrder, readonly CompiledCampaign[]>;
  /** The ids of campaigns that were read although they do not run. */
  readonly soughtIds: ReadonlySet<string>;
  /** When a campaign was last activated. By the clock of another instance this may be later than now. */
  readonly lastActivation: Date | null;
}

const maxRounds = 50;

/**
 * Performs steps in as few transactions as possible, one step after the other, so a step sees what earlier steps took
 * or gave back. The counts of limits, budgets, codes and users are saved in the same transaction as the redemptions. In
 * this transaction, the versions of all campaigns, and of every one that may apply, are compared with those in memory. So no
 * limit is ever exceeded. The results are in the order of the steps.
 */
export async function workOffSteps(needs: StepNeeds, steps: readonly InContext<Step>[]): Promise<StepResult[]> {
  const results = new Map<InContext<Step>, StepResult>();
  let left = steps;
  while (left.length > 0) {
    const worked = await inOneTransaction(needs, left);
    for (const [index, step] of left.entries()) {
      const result = worked[index];
      if (result && result.kind !== 'postponed') results.set(step, result);
    }
    left = left.filter((step) => !results.has(step));
  }
  return steps.flatMap((step) => results.get(step) ?? []);
}

async function inOneTransaction(
  needs: StepNeeds,
  steps: readonly InContext<Step>[],
): Promise<(StepResult | { readonly kind: 'postponed' })[]> {
  const sought = new Set<string>();
  for (let round = 1; round <= maxRounds; round += 1) {
    const campaigns = await knownCampaigns(needs, steps, sought, round);
    try {
      return await needs.limitCounts.transaction((transaction, areNew) =>
        decideAndSave(needs, steps, { campaigns, sought, areNew }, transaction),
      );
    } catch (error) {
      if (!(error instanceof CampaignsChanged)) throw error;
    }
  }
  throw commonErrors.tooManyChanges();
}

async function knownCampaigns(
  { runningCampaigns }: StepNeeds,
  steps: readonly InContext<Step>[],
  sought: ReadonlySet<string>,
  round: number,
): Promise<KnownCampaigns> {
  // Campaigns change seldom, and the transaction notices it.
  const remembered = round === 1 ? runningCampaigns.remembered() : null;
  const present = remembered ?? (await runningCampaigns.present());
  const others = [...sought].filter((id) => !present.byId.has(id));
  const found = others.length === 0 ? [] : await runningCampaigns.find(others);
  const touching = new Map(
    steps.flatMap(({ item }) =>
      'cart' in item && item.cart !== null ? [[item, present.index.touching(item.cart.lines)] as const] : [],
    ),
  );
  return {
    version: present.version,
    byId: new Map([...present.byId, ...found]),
    touching,
    soughtIds: new Set(sought),
    lastActivation: present.lastActivation,
  };
}

async function decideAndSave(
  { redemptions, orderDiscounts, limitCounts, campaignDays, erasedUsers, databaseNow }: StepNeeds,
  steps: readonly InContext<Step>[],
  { campaigns, sought, areNew }: { campaigns: KnownCampaigns; sought: Set<string>; areNew: boolean },
  transaction: Transaction,
): Promise<(StepResult | { readonly kind: 'postponed' })[]> {
  const items = steps.map(({ item }) => item);
  // The first request of an order is taken as the only one, since it always gets a record.
  const isNew = ({ kind }: Step) => areNew && kind === 'hold-for-order';
  // The reads run one after the other, because a transaction takes one command at a time.
  const read = async <State extends { readonly id: string }>(
    store: Pick<Repository<State>, 'readAll'>,
    idsOfStep: (step: Step) => readonly string[],
  ) =>
    new Map<string, Loaded<State> | null>([
      ...items.filter(isNew).flatMap((item) => idsOfStep(item).map((id) => [id, null] as const)),
      ...(await store.readAll(transaction, items.filter((item) => !isNew(item)).flatMap(idsOfStep))),
    ]);
  const knownRedemptions = await read<Redemption>(redemptions, idsOf);
  const whole = statesOf(knownRedemptions);
  const stored = [...whole, ...(await redemptions.findOpenFor(items.flatMap(openForsOf), transaction))];
  const knownOrders = await read<OrderDiscounts>(orderDiscounts, orderIdsOf);
  const carts = items.filter((item) => 'cart' in item);
  const userIds = new Set([...stored, ...carts].flatMap((one) => userOf(one) ?? []));
  for (const item of items) if (item.kind === 'place-order' && item.userId !== null) userIds.add(item.userId);
  const again = mayBeTakenAgain(items, stored);
  const partsAgain = again.flatMap(({ parts }) => parts);
  const counted = await limitCounts.read(
    {
      codes: new Set([...carts.flatMap(({ codes }) => codes), ...partsAgain.flatMap(({ code }) => code ?? [])]),
      campaignIds: new Set([
        ...[...campaigns.touching.values()].flat().map(({ rules }) => rules.id),
        ...partsAgain.map(({ campaignId }) => campaignId),
      ]),
      userIds,
    },
    transaction,
  );
  assertPresent(campaigns, counted, sought);
  const counts = createCounts(counted);
  const decider = createDecider({
    redemptions: stored,
    orders: statesOf(knownOrders),
    originals: new Map(whole.map((one) => [one.id, one])),
    counts,
    rulesOf: (campaignId) => campaigns.byId.get(campaignId)?.compiled.rules,
    candidatesFor: (step) => candidatesFor(step, campaigns, counts),
    erasedUsers: await erasedUsers.among([...userIds], transaction),
    now: notBefore(databaseNow(), campaigns.lastActivation),
  });

  const outcomes = steps.map(({ item, owns }) => {
    const [before, ordersBefore] = [decider.changes.size, decider.orderChanges.size];
    const outcome = decider.decide(item);
    owns([...decider.changes.keys()].slice(before));
    owns([...decider.orderChanges.keys()].slice(ordersBefore));
    return outcome;
  });
  await limitCounts.write(counts.changes(), transaction);
  await orderDiscounts.save(transaction, decider.orderChanges, knownOrders);
  const ids = [...decider.changes.keys()];
  if (ids.length === 0) return outcomes.map((outcome) => resultOf(outcome, new Map()));
  const before = new Map<string, Redemption | null>();
  const save = (id: string, current: Redemption | null) => {
    before.set(id, current);
    return changeOf(decider.changes, id)(current);
  };
  const saved = await redemptions.changeAll(transaction, ids, save, knownRedemptions);
  await campaignDays.count(
    saved.flatMap((redemption) => byCampaign(before.get(redemption.id) ?? null, redemption)),
    transaction,
  );
  const byId = new Map(saved.map((redemption) => [redemption.id, redemption]));
  return outcomes.map((outcome) => resultOf(outcome, byId));
}

function statesOf<State>(found: ReadonlyMap<string, Loaded<State> | null>): readonly State[] {
  return [...found.values()].flatMap((loaded) => loaded?.state ?? []);
}

/** Throws `CampaignsChanged` where campaigns have other versions than in memory. */
function assertPresent(campaigns: KnownCampaigns, counted: CountedWithVersion, sought: Set<string>): void {
  let areOthers = counted.version > campaigns.version;
  for (const [id, version] of counted.versions) {
    const known = campaigns.byId.get(id);
    if (known && known.version !== version) areOthers = true;
    if (!known && !campaigns.soughtIds.has(id)) {
      sought.add(id);
      areOthers = true;
    }
  }
  for (const { rules } of [...campaigns.touching.values()].flat())
    if (!counted.versions.has(rules.id)) areOthers = true;
  if (areOthers) throw new CampaignsChanged();
}

function candidatesFor(step: Redeem | HoldForOrder, { byId, touching }: KnownCampaigns, counts: Counts): Candidates {
  const campaigns = new Map<string, CompiledCampaign>();
  for (const code of step.codes) {
    const known = byId.get(counts.codes.get(code)?.campaignId ?? '');
    if (known) campaigns.set(known.rules.id, known.compiled);
  }
  return { automatic: touching.get(step) ?? [], codes: counts.codes, campaigns, usage: counts.usage, others: [] };
}

function resultOf(
  outcome: Outcome,
  saved: ReadonlyMap<string, Redemption>,
): StepResult | { readonly kind: 'postponed' } {
  if (outcome.kind !== 'changed') return outcome;
  const redemption = saved.get(outcome.id);
  if (!redemption) throw new Error(`${outcome.id} was not saved`);
  return { kind: 'changed', redemption, isNew: outcome.isNew };
}

/**
 * Returns what a change of a redemption adds to the counts of each of its campaigns, if anything: an order that is placed
 * as it was held adds nothing. `previous` is null where the redemption is new.
 */
function byCampaign(previous: Redemption | null, redemption: Redemption): CampaignRedemption[] {
  const { segment, parts, createdAt } = redemption;
  const [before, after] = [previous, redemption].map((one) => {
    const counting = one?.status === 'released' ? null : one;
    const amounts = new Map(counting?.parts.map(({ campaignId, amount }) => [campaignId, amount]));
    return { amounts, redemptions: counting ? 1 : 0, orderValue: counting?.total ?? 0 };
  });
  return parts.flatMap(({ campaignId }) => {
    const added = {
      redemptions: (after?.redemptions ?? 0) - (before?.redemptions ?? 0),
      released: Number(redemption.status === 'released') - Number(previous?.status === 'released'),
      discount: (after?.amounts.get(campaignId) ?? 0) - (before?.amounts.get(campaignId) ?? 0),
      orderValue: (after?.orderValue ?? 0) - (before?.orderValue ?? 0),
    };
    if (Object.values(added).every((count) => count === 0)) return [];
    return [{ campaignId, day: dayOf(createdAt), segment, userId: userOf(redemption), ...added }];
  });
}

/** Returns the redemptions that orders may take again: they were given back, or another order was placed with them. */
function mayBeTakenAgain(items: readonly Step[], stored: readonly StoredRedemption[]): StoredRedemption[] {
  const orders = items.filter((item) => item.kind === 'place-order');
  return stored.filter((one) =>
    orders.some(
      ({ redemptionId, orderId }) =>
        redemptionId === one.id && (one.status === 'released' || isForAnother(one, orderId)),
    ),
  );
}

function changeOf(changes: ReadonlyMap<string, Change>, id: string): Change {
  const change = changes.get(id);
  if (!change) throw new Error(`nothing was decided about ${id}`);
  return change;
}
