export { createApp } from './app.ts';
export { startShop, type ShopOptions, type StartedShop } from './start.ts';
