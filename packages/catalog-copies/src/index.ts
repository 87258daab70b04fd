export { afterNews } from './copy.ts';
export type { Copy, News } from './copy.ts';
export { categoryReactions, productReactions } from './reactions.ts';
