import { catalogEvents, fact, toEvent, type EventContract } from '@storefront/contracts';
import type { Reaction } from '@storefront/messaging';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { News } from '../src/copy.ts';
import { categoryReactions, productReactions } from '../src/reactions.ts';

const product = {
  id: 'prod_1',
  sku: 'MUG',
  name: 'Mug',
  slug: 'mug',
  image: null,
  categoryIds: ['cat_1'],
  price: { amount: 1999, currency: 'EUR' },
  tradePrice: null,
  status: 'active' as const,
  stock: 3,
  available: true,
};
const category = { id: 'cat_1', name: 'Cups', slug: 'cups', parentId: null, path: [], isActive: true };

/** What the reaction to the event says is new: the states by their names. */
async function allNewsOf<Contract extends EventContract>(
  contract: Contract,
  subject: string,
  data: z.input<Contract['data']>,
): Promise<News<string>[]> {
  const all: News<string>[] = [];
  const keeping = {
    factsOf: ({ name }: { readonly name: string }) => name,
    keep: async (news: News<string>) => void all.push(news),
  };
  const reactions: Reaction[] = [
    ...Object.values(productReactions(keeping)),
    ...Object.values(categoryReactions(keeping)),
  ];
  const event = toEvent(fact(contract, subject, data), { sequence: 7, time: new Date(5000) });
  const signal = new AbortController().signal;
  const answers = await Promise.all(
    reactions.filter(({ type }) => type === contract.type).map(({ handle }) => handle(event, { attempt: 1, signal })),
  );
  expect(answers).toEqual(['done']);
  return all;
}

async function newsOf<Contract extends EventContract>(...of: Parameters<typeof allNewsOf<Contract>>) {
  const all = await allNewsOf(...of);
  expect(all).toHaveLength(1);
  return all[0] as News<string>;
}

const at = { sequence: 7, at: new Date(5000) };

it('a product that is new, another one, or of which there is more has its state as news', async () => {
  const stated = { id: 'prod_1', ...at, facts: 'Mug', deleted: false, isSnapshot: false };
  expect(await newsOf(catalogEvents.productCreated, 'prod_1', product)).toEqual(stated);
  expect(await newsOf(catalogEvents.productChanged, 'prod_1', product)).toEqual(stated);
  expect(await newsOf(catalogEvents.stockChanged, 'prod_1', { ...product, change: 1, reason: null })).toEqual(stated);
});

it('an event about what orders have reserved has the state of each product, at its own version', async () => {
  const products = [
    { ...product, sequence: 4 },
    { ...product, id: 'prod_2', name: 'Cup', sequence: 9 },
  ];
  expect(await allNewsOf(catalogEvents.freeStockChanged, 'ord_1', { products })).toEqual([
    { id: 'prod_1', sequence: 4, at: at.at, facts: 'Mug', deleted: false, isSnapshot: false },
    { id: 'prod_2', sequence: 9, at: at.at, facts: 'Cup', deleted: false, isSnapshot: false },
  ]);
});

it('a category that is new or another one has its state as news', async () => {
  const stated = { id: 'cat_1', ...at, facts: 'Cups', deleted: false, isSnapshot: false };
  expect(await newsOf(catalogEvents.categoryCreated, 'cat_1', category)).toEqual(stated);
  expect(await newsOf(catalogEvents.categoryChanged, 'cat_1', category)).toEqual(stated);
});

it('a deletion has no facts', async () => {
  const gone = { ...at, facts: null, deleted: true, isSnapshot: false };
  expect(await newsOf(catalogEvents.productDeleted, 'prod_1', product)).toEqual({ id: 'prod_1', ...gone });
  expect(await newsOf(catalogEvents.categoryDeleted, 'cat_1', category)).toEqual({ id: 'cat_1', ...gone });
});

it.each([false, true])('a snapshot says so, and whether it is deleted: %s', async (deleted) => {
  const again = { ...at, deleted, isSnapshot: true };
  expect(await newsOf(catalogEvents.productSnapshot, 'prod_1', { ...product, deleted })).toEqual({
    id: 'prod_1',
    facts: 'Mug',
    ...again,
  });
  expect(await newsOf(catalogEvents.categorySnapshot, 'cat_1', { ...category, deleted })).toEqual({
    id: 'cat_1',
    facts: 'Cups',
    ...again,
  });
});
