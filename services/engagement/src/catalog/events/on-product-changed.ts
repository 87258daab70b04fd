import { productReactions } from '@storefront/catalog-copies';
import type { catalogEvents } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { keepCopy } from '../commands/keep-copy.ts';
import type { ProductCopy, ProductFacts } from '../domain/copies.ts';

type Copies = Repository<ProductCopy>;

/** Keeps the copy of a product. What engagement keeps does not follow from the stock, so it does not hear of that. */
export function onProductChanged(copies: Copies) {
  const { created, changed, deleted } = reactionsOf(copies);
  return [created, changed, deleted];
}

/** Puts the copy right, or makes it anew. */
export function onProductTold(copies: Copies) {
  return [reactionsOf(copies).told];
}

function reactionsOf(copies: Copies) {
  return productReactions({ factsOf, keep: (news) => keepCopy(copies, news) });
}

function factsOf({ name, categoryIds, price, tradePrice, status }: catalogEvents.ProductFacts): ProductFacts {
  return { name, categoryIds, price, tradePrice, listed: status === 'active' };
}
