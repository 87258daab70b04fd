export { afterNews, copyOf, type Copy, type News } from './copy.ts';
export { categoryReactions, productReactions } from './reactions.ts';
export { activeVariants, lowestPrices, variantsOf } from './variants.ts';
