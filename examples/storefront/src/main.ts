// Runs the shop by itself: API_URL=http://127.0.0.1:3000 node src/main.ts
import { startShop } from './start.ts';

const { API_URL = 'http://127.0.0.1:3000', SHOP_NAME = 'Storefront', PORT = '3080', HOST, SHOP_URL } = process.env;
const shop = await startShop({
  apiUrl: API_URL,
  name: SHOP_NAME,
  port: Number(PORT),
  ...(HOST && { host: HOST }),
  ...(SHOP_URL && { url: SHOP_URL }),
});
process.stderr.write(`The shop is at ${shop.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shop.close());
