import { productReactions } from '@storefront/catalog-copies';
import type { catalogEvents } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { keepCopy } from '../commands/keep-copy.ts';
import type { ProductCopy, ProductFacts } from '../domain/copies.ts';

type Copies = Repository<ProductCopy>;

/** Keeps the copy of a product, its stock too: no shopper can hold discounts for more than there is. */
export function onProductChanged(copies: Copies) {
  const { created, changed, stockChanged, deleted } = reactionsOf(copies);
  return [created, changed, stockChanged, deleted];
}

/** Puts the copy right, or makes it anew. */
export function onProductSnapshot(copies: Copies) {
  return [reactionsOf(copies).told];
}

function reactionsOf(copies: Copies) {
  return productReactions({ factsOf, keep: (news) => keepCopy(copies, news) });
}

function factsOf({ name, categoryIds, price, tradePrice, status, stock }: catalogEvents.ProductFacts): ProductFacts {
  return { name, categoryIds, price, tradePrice, listed: status === 'active', stock };
}
