import type { PageOf, Slice } from '@storefront/contracts';
import { planWordSearch, type Transaction } from '@storefront/mongo';
import type { Customer } from '../domain/customer.ts';
import { identityKeys } from '../domain/match.ts';
import type { Person } from '../domain/person.ts';
import { queryTokens } from '../domain/search.ts';
import type { Store } from './collections.ts';

/** A recipient as lists show it, without the fields that are only for lookups. */
export type ListedCustomer = Omit<Customer, 'tokens' | 'keys'>;

export interface CustomerReads {
  /** A page of the owner's recipients, the newest first. With a query, only recipients that match all of its words. */
  page(owner: string, slice: Slice, query: string | undefined): Promise<PageOf<ListedCustomer>>;
  /** The owner's recipients that have the same email, phone or name as the person. */
  alike(owner: string, person: Person, transaction: Transaction): Promise<Customer[]>;
  /**
   * The number of the owner's recipients, at most `limit`. Only the index is read, so deleted recipients that still
   * have an event to publish are counted, too.
   */
  count(owner: string, limit: number, transaction?: Transaction): Promise<number>;
}

const unlisted = ['tokens', 'keys'] as const;
// Up to so many recipients are read and then sorted.
const few = 500;

/**
 * The range of the ids of one owner's recipients. Recipients are sharded by id, so the range limits a query to the
 * owner's shards.
 */
const idsOf = (owner: string) => ({ $gt: `${owner}/`, $lt: `${owner}0` });

export function createCustomerReads({ customers }: Pick<Store, 'customers'>): CustomerReads {
  return {
    async page(owner, slice, query) {
      const tokens = query ? queryTokens(query) : [];
      if (query && tokens.length === 0) return { items: [], next: null };
      const search = { scope: { owner }, field: 'tokens', hint: 'by_token', beginnings: tokens, few };
      const { conditions, isRare } = await planWordSearch(customers.collection, search);
      const { items, next } = await customers.page({
        filter: { owner, _id: idsOf(owner), ...(tokens.length > 0 && { $and: conditions }) },
        order: { createdAt: -1, _id: -1 },
        slice,
        hint: isRare ? 'by_token' : 'newest',
        without: unlisted,
      });
      return { items: items.map(({ state }) => state), next };
    },

    async alike(owner, person, transaction) {
      const found = await customers.find(
        { owner, _id: idsOf(owner), keys: { $in: identityKeys(person) } },
        { transaction, hint: 'by_key' },
      );
      return found.map(({ state }) => state);
    },

    count(owner, limit, transaction) {
      const options = { hint: 'newest', limit, ...(transaction && { session: transaction.session }) };
      return customers.collection.countDocuments({ owner, _id: idsOf(owner) }, options);
    },
  };
}
