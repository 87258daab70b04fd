import type { Decision, PageOf, Slice } from '@storefront/contracts';
import {
  defineCollection,
  inTransaction,
  living,
  openRepository,
  withEvents,
  withId,
  type Filter,
  type Loaded,
  type StoredAs,
  type Transaction,
} from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { campaign, type Campaign, type CampaignStatus, type CampaignUsage } from '../domain/campaigns/rules.ts';
import type { CampaignUsages } from './campaign-usage.ts';
import type { CampaignVersions } from './campaign-versions.ts';
import type { CampaignCodes } from './campaign-codes.ts';

/** The order of lists. The id decides where the times are equal. */
const newestFirst = { createdAt: -1, _id: -1 } as const;

/**
 * The index `stage_newest` ends with the campaign's times, so that MongoDB finds the status without reading the
 * document.
 */
export const campaigns = defineCollection(
  'campaigns',
  { ...withEvents, ...campaign.shape },
  {
    sharding: { unsharded: 'some thousands, of which carts read all that run' },
    indexes: {
      'createdAt_-1__id_-1': { keys: newestFirst },
      stage_newest: {
        keys: { stage: 1, ...newestFirst, 'conditions.startsAt': 1, 'conditions.endsAt': 1 },
      },
      ends: { keys: { stage: 1, 'conditions.endsAt': 1 } },
    },
  },
);

/** A campaign with its version and its usage. */
export interface CampaignWithUsage extends Loaded<Campaign> {
  readonly usage: CampaignUsage;
}

export interface CampaignReads {
  /** Returns the campaign; null where there is none. Calls at the same moment share one read. */
  load(id: string): Promise<Loaded<Campaign> | null>;
  /** Returns all campaigns that are activated or paused. */
  running(): Promise<Loaded<Campaign>[]>;
}

export interface Campaigns extends CampaignReads {
  find(id: string): Promise<CampaignWithUsage | null>;
  /** Lists campaigns, newest first; where `of` is given, only those that have this status at this time. */
  list(
    of: { readonly status: CampaignStatus; readonly now: Date } | null,
    slice: Slice,
  ): Promise<PageOf<CampaignWithUsage>>;
  /**
   * Returns the ids of activated or paused campaigns that have reached their end; those that ended first come first.
   */
  overdue(now: Date, limit: number): Promise<string[]>;
  /**
   * Stores a new campaign. A second call with the same id changes nothing and returns the stored one. `refuse` gets the
   * number of campaigns that have not ended, and throws where there are too many.
   */
  add(
    id: string,
    decide: () => Decision<Campaign, Campaign>,
    refuse: (unended: number) => void,
  ): Promise<CampaignWithUsage>;
  /**
   * Changes a campaign, or deletes the campaign with its codes. No redemption of the campaign is committed between the
   * read for `decide` and the change. Null where there is no such campaign.
   */
  change(
    id: string,
    decide: (found: CampaignWithUsage) => Decision<Campaign, Campaign>,
  ): Promise<CampaignWithUsage | null>;
}

interface Needs extends Pick<Resources, 'database' | 'relay' | 'now'> {
  readonly campaignUsage: CampaignUsages;
  readonly campaignVersions: CampaignVersions;
  readonly campaignCodes: Pick<CampaignCodes, 'begin' | 'removeAll'>;
}

/** Counting campaigns that have not ended stops at this number. */
const countedAtMost = 100_000;
const unendedStages = ['draft', 'activated', 'paused'] as const;

export function openCampaigns(needs: Needs): Campaigns {
  const { database, campaignUsage, campaignVersions, campaignCodes } = needs;
  const repository = openRepository<Campaign>(campaigns, needs);
  const { collection } = repository;
  const noUsage = { redemptions: 0, amount: 0, ever: false };
  const withUsage = async (loaded: Loaded<Campaign>): Promise<CampaignWithUsage> => ({
    ...loaded,
    usage: (await campaignUsage.find(loaded.state.id)) ?? noUsage,
  });

  async function save(
    transaction: Transaction,
    id: string,
    decide: (current: Campaign | null, version: number) => Decision<Campaign, Campaign>,
  ): Promise<Loaded<Campaign>> {
    const [saved] = await repository.changeAll(transaction, [id], (_id, current, version) => decide(current, version));
    if (!saved) throw new Error(`${id} was not saved`);
    return { state: saved.result, version: saved.version };
  }

  return {
    load: (id) => repository.load(id),

    async running() {
      const filter: Filter<StoredAs<Campaign>> = { stage: { $in: ['activated', 'paused'] }, ...living };
      // Reads only changes that survive a change of the primary. Otherwise a lost change could stay in memory under a
      // version that is still valid.
      const found = collection.find(filter, { hint: 'ends', readConcern: 'majority', projection: { outbox: 0 } });
      return (await found.toArray()).map(({ version, ...fields }) => ({ state: withId(fields), version }));
    },

    async find(id) {
      const found = await repository.load(id);
      return found && withUsage(found);
    },

    async list(of, slice) {
      const filter = of === null ? {} : filterOf(of);
      const { items, next } = await repository.page({ filter, order: newestFirst, slice });
      return { items: await Promise.all(items.map(withUsage)), next };
    },

    async overdue(now, limit) {
      const filter = { stage: { $in: ['activated', 'paused'] }, 'conditions.endsAt': { $lte: now } } as const;
      const order = { 'conditions.endsAt': 1 } as const;
      const found = await repository.find(filter, { order, limit, hint: 'ends', fields: ['stage'] });
      return found.map(({ state }) => state.id);
    },

    add(id, decide, refuse) {
      return inTransaction(database, async (transaction) => {
        const existing = await repository.load(id, transaction);
        if (existing) return withUsage(existing);
        // Two creations at the same time conflict here, so each of them counts the other campaign.
        await campaignVersions.raise(transaction);
        const { session } = transaction;
        const unended = { stage: { $in: [...unendedStages] } };
        refuse(await collection.countDocuments(unended, { session, limit: countedAtMost, hint: 'ends' }));
        const added = await save(transaction, id, decide);
        const usage = await campaignUsage.add(id, transaction);
        await campaignCodes.begin(id, transaction);
        return { ...added, usage };
      });
    },

    change(id, decide) {
      return inTransaction(database, async (transaction) => {
        // This comes first, so that the transaction holds the usage from its first moment. A transaction that read
        // first would start again and again while many shoppers redeem.
        const usage = await campaignUsage.takeForChange(id, transaction);
        if (!usage) return null;
        let before = 0;
        let isDeleted = false;
        const saved = await save(transaction, id, (state, version) => {
          if (!state) throw new Error(`${id} has a usage, but does not exist`);
          const decision = decide({ state, version, usage });
          before = version;
          isDeleted = decision.kind === 'deleted';
          return decision;
        });
        if (isDeleted) {
          await campaignUsage.remove(id, transaction);
          await campaignCodes.removeAll(id, transaction);
        } else await campaignUsage.setVersion(id, saved.version, transaction);
        if (saved.version !== before) await campaignVersions.raise(transaction);
        return { ...saved, usage };
      });
    },
  };
}

/** Returns the filter for a status. The time decides it, whether or not the end of a campaign was recorded yet. */
function filterOf({
  status,
  now,
}: {
  readonly status: CampaignStatus;
  readonly now: Date;
}): Filter<StoredAs<Campaign>> {
  const hasEnded = { 'conditions.endsAt': { $lte: now } };
  const notEnded = { 'conditions.endsAt': { $not: hasEnded['conditions.endsAt'] } };
  switch (status) {
    case 'draft':
      return { stage: 'draft' };
    case 'scheduled':
      return { stage: 'activated', 'conditions.startsAt': { $gt: now }, ...notEnded };
    case 'active':
      return { stage: 'activated', 'conditions.startsAt': { $lte: now }, ...notEnded };
    case 'paused':
      return { stage: 'paused', ...notEnded };
    case 'ended':
      return {
        $or: [{ stage: 'ended' }, { stage: 'activated', ...hasEnded }, { stage: 'paused', ...hasEnded }],
      };
  }
}
