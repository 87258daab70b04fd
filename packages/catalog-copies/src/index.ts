export { afterNews, copyOf, type Copy, type News } from './copy.ts';
export { lowestPrices } from './lowest-prices.ts';
export { categoryReactions, productReactions } from './reactions.ts';
export { unitPriceOf, type VariantPrices } from './unit-price.ts';
