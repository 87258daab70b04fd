import { unchanged, type Decision, type PageOf, type Slice } from '@storefront/contracts';
import {
  defineCollection,
  openRepository,
  withEvents,
  type Loaded,
  type Repository,
  type Transaction,
} from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import {
  decisiveFields,
  openForOf,
  redemption,
  type Redemption,
  type StoredRedemption,
} from '../domain/redemptions/redemption.ts';

/** The order of lists. The id decides where the times are equal. */
const newestFirst = { createdAt: -1, _id: -1 } as const;

export const redemptions = defineCollection(
  'redemptions',
  { ...withEvents, ...redemption.shape },
  {
    sharding: { unsharded: 'one order has one open redemption: a unique index' },
    indexes: {
      newest: { keys: newestFirst },
      of_owner: { keys: { owner: 1, ...newestFirst } },
      of_campaign: { keys: { campaignIds: 1, ...newestFirst } },
      of_campaign_and_owner: { keys: { campaignIds: 1, owner: 1, ...newestFirst } },
      open: { keys: { openFor: 1 }, unique: true, partialFilterExpression: { openFor: { $gt: '' } } },
      holds: { keys: { heldUntil: 1 }, partialFilterExpression: { heldUntil: { $gt: new Date(0) } } },
    },
  },
);

/** Which redemptions a list shows; all where no field is given. */
interface RedemptionFilter {
  readonly owner?: string | undefined;
  readonly campaignId?: string | undefined;
}

export interface Redemptions {
  /** Returns the redemption; null where there is none. Calls at the same moment share one read. */
  load(id: string): Promise<Redemption | null>;
  /** Returns the held or confirmed redemption of an order; `openFor` is the result of `openForOf`. */
  findOpen(openFor: string): Promise<Redemption | null>;
  /** Lists redemptions, newest first. */
  list(filter: RedemptionFilter, slice: Slice): Promise<PageOf<Redemption>>;
  /** Returns the ids of redemptions whose hold ended at `now` or before, the earliest first. */
  heldBefore(now: Date, limit: number): Promise<string[]>;
  /** Returns redemptions of an owner, in no particular order. */
  ofOwner(owner: string, limit: number): Promise<Pick<Redemption, 'id' | 'status'>[]>;
  /**
   * Returns the ids of an owner's held or confirmed redemptions with which no order was placed, ordered by the orders'
   * references.
   */
  openWithoutOrder(owner: string, limit: number): Promise<string[]>;
  /** Reads redemptions for `changeAll`. */
  readonly readAll: Repository<Redemption>['readAll'];
  /** Returns the `decisiveFields` of the redemptions that are open for one of these orders. */
  findOpenFor(openFor: readonly string[], transaction: Transaction): Promise<readonly StoredRedemption[]>;
  /** Saves redemptions in a transaction. `known` are those that were read in it. */
  changeAll(
    transaction: Transaction,
    ids: readonly string[],
    decide: (id: string, current: Redemption | null) => Decision<Redemption, Redemption>,
    known: ReadonlyMap<string, Loaded<Redemption> | null>,
  ): Promise<Redemption[]>;
  /** Changes one redemption. Does nothing where the redemption does not exist. */
  change(id: string, decide: (current: Redemption) => Decision<Redemption, Redemption>): Promise<void>;
}

export function openRedemptions(resources: Resources): Redemptions {
  const repository = openRepository<Redemption>(redemptions, resources);
  const stateOf = <State>({ state }: Loaded<State>) => state;
  return {
    async load(id) {
      return (await repository.load(id))?.state ?? null;
    },

    async findOpen(openFor) {
      return (await repository.findOne({ openFor }, { hint: 'open' }))?.state ?? null;
    },

    async list({ owner, campaignId }, slice) {
      const filter = {
        ...(campaignId === undefined ? {} : { campaignIds: campaignId }),
        ...(owner === undefined ? {} : { owner }),
      };
      const { items, next } = await repository.page({ filter, order: newestFirst, slice, hint: indexFor(filter) });
      return { items: items.map(stateOf), next };
    },

    async heldBefore(now, limit) {
      const filter = { heldUntil: { $gt: new Date(0), $lte: now } };
      const order = { heldUntil: 1 } as const;
      return (await repository.find(filter, { order, limit, hint: 'holds', fields: ['heldUntil'] })).map(
        ({ state }) => state.id,
      );
    },

    async ofOwner(owner, limit) {
      return (await repository.find({ owner }, { limit, hint: 'of_owner', fields: ['status'] })).map(stateOf);
    },

    async openWithoutOrder(owner, limit) {
      const filter = { openFor: { $gt: openForOf(owner, ''), $lt: `${owner}!` }, placedFor: null };
      const order = { openFor: 1 } as const;
      const found = await repository.find(filter, { order, limit, hint: 'open', fields: ['status'] });
      return found.map(({ state }) => state.id);
    },

    readAll: (transaction, ids) => repository.readAll(transaction, ids),

    async findOpenFor(openFor, transaction) {
      if (openFor.length === 0) return [];
      const options = { fields: decisiveFields, transaction };
      return (await repository.find({ openFor: { $in: [...openFor] } }, options)).map(stateOf);
    },

    async changeAll(transaction, ids, decide, known) {
      const saved = await repository.changeAll(transaction, ids, decide, known);
      return saved.map(({ result }) => result);
    },

    async change(id, decide) {
      await repository.change<Redemption | null>(id, (current) => (current ? decide(current) : unchanged(null)));
    },
  };
}

function indexFor({ campaignIds, owner }: { readonly campaignIds?: string; readonly owner?: string }) {
  if (campaignIds === undefined) return owner === undefined ? 'newest' : 'of_owner';
  return owner === undefined ? 'of_campaign' : 'of_campaign_and_owner';
}
