import {
  activeVariants,
  afterNews,
  categoryReactions,
  productReactions,
  type Copy,
  type News,
} from '@storefront/catalog-copies';
import { changed, unchanged, type catalogEvents } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import type { CategoryCopy, CategoryFacts, ProductCopy, ProductFacts } from '../domain/copies.ts';

/**
 * Updates the copies of products and their stock. The stock is needed so that no shopper holds discounts for more units
 * than there are: as counted, so that the many events about what orders reserve need not be heard.
 */
export function onProductChanged(copies: Repository<ProductCopy>) {
  const { created, changed: updated, stockChanged, deleted } = productReactionsOf(copies);
  return [created, updated, stockChanged, deleted];
}

/** Updates or creates the copy of a product. */
export function onProductSnapshot(copies: Repository<ProductCopy>) {
  return [productReactionsOf(copies).snapshot];
}

/** Updates the copies of categories. When a category moves, each category below it also has an event. */
export function onCategoryChanged(copies: Repository<CategoryCopy>) {
  const { created, changed: updated, deleted } = categoryReactionsOf(copies);
  return [created, updated, deleted];
}

/** Updates or creates the copy of a category. */
export function onCategorySnapshot(copies: Repository<CategoryCopy>) {
  return [categoryReactionsOf(copies).snapshot];
}

function productReactionsOf(copies: Repository<ProductCopy>) {
  return productReactions({ factsOf: productFacts, keep: (news) => keepCopy(copies, news) });
}

function categoryReactionsOf(copies: Repository<CategoryCopy>) {
  return categoryReactions({ factsOf: categoryFacts, keep: (news) => keepCopy(copies, news) });
}

/** Applies an event to a copy. An event that comes again, or after a newer one, writes nothing. */
async function keepCopy<Facts>(copies: Repository<Copy<Facts>>, news: News<Facts>): Promise<void> {
  await copies.change(news.id, (current) => {
    const next = afterNews(current, news);
    return next ? changed(next, [], null) : unchanged(null);
  });
}

function productFacts(product: catalogEvents.ProductFacts): ProductFacts {
  const { name, categoryIds, status, quantityPrices: pricesOfProduct = [] } = product;
  const variants = activeVariants(product).map((variant) => {
    const {
      id,
      sku,
      values,
      price,
      tradePrice,
      quantityPrices = pricesOfProduct,
      counted: stock = variant.stock,
    } = variant;
    return { id, sku, values: [...values], price, tradePrice, quantityPrices, stock };
  });
  return { name, categoryIds, listed: status === 'active', variants };
}

function categoryFacts({ name, path }: catalogEvents.CategoryFacts): CategoryFacts {
  return { name, path };
}
