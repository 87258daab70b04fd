export { startShop, type ShopOptions, type StartedShop } from './start.ts';
