/** The areas of a shop, each for itself, and what makes a client of those that one needs. */
export { clientOf } from './client.ts';
export * from './generated/shop.ts';
