import type { PageOf, Slice } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import type { Customer } from '../domain/customer.ts';
import { identityKeys } from '../domain/match.ts';
import type { Person } from '../domain/person.ts';
import { queryTokens } from '../domain/search.ts';
import type { Store } from './collections.ts';

/** A recipient as lists show it. */
export type ListedCustomer = Omit<Customer, 'tokens' | 'keys'>;

export interface CustomerReads {
  /** The owner's recipients, the newest first; with a query those that have all of its words. */
  page(owner: string, slice: Slice, query: string | undefined): Promise<PageOf<ListedCustomer>>;
  /** The owner's recipients that share the email, the phone or the name. */
  alike(owner: string, person: Person, transaction: Transaction): Promise<Customer[]>;
  /**
   * How many recipients the owner has, counted up to `limit` in the index alone: with those that are deleted and still
   * have an event to publish.
   */
  count(owner: string, limit: number, transaction?: Transaction): Promise<number>;
}

const unlisted = ['tokens', 'keys'] as const;
// So many are read at once and sorted then. A word that more recipients have fills a page soon in the list's own order.
const few = 500;

/** Names the ids of the owner, by which the recipients are spread over shards. */
const idsOf = (owner: string) => ({ $gt: `${owner}/`, $lt: `${owner}0` });

export function createCustomerReads({ customers }: Pick<Store, 'customers'>): CustomerReads {
  return {
    async page(owner, slice, query) {
      const tokens = query ? queryTokens(query) : [];
      if (query && tokens.length === 0) return { items: [], next: null };
      const { conditions, isRare } = await byRarity(owner, tokens);
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

  /** The conditions for words of a query, the rarest word first: the index is read by the first one. */
  async function byRarity(owner: string, tokens: readonly string[]) {
    const counted = await Promise.all(
      tokens.map(async (token) => {
        const condition = beginsWith(token);
        const options = { hint: 'by_token', limit: few + 1 };
        const count = await customers.collection.countDocuments({ owner, ...condition }, options);
        return { condition, count };
      }),
    );
    const rarestFirst = counted.toSorted((one, other) => one.count - other.count);
    const [rarest] = rarestFirst;
    return {
      conditions: rarestFirst.map(({ condition }) => condition),
      isRare: rarest !== undefined && rarest.count <= few,
    };
  }
}

/** A word that begins like the token, as a range: there is no pattern that a query could change. */
function beginsWith(token: string) {
  return { tokens: { $elemMatch: { $gte: token, $lt: `${token}\u{10ffff}` } } };
}
