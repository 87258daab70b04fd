import { afterAll, beforeAll, describe } from 'vitest';
import { findChromium } from '../../services/identity/test/chromium.ts';
import { browserAt } from './browser.ts';
import { testCustomers } from './customers.ts';
import { testGuest } from './guest.ts';
import { testJourneys } from './journeys.ts';
import { testPasskeys } from './passkeys.ts';
import { startDemoShop, type DemoShop } from './system.ts';
import { testTrouble } from './trouble.ts';

// All parts use one system: to start it takes as long as many of the tests.
const opened = new AsyncDisposableStack();
let shop: DemoShop;
beforeAll(async () => {
  shop = await startDemoShop(opened);
});
afterAll(() => opened.disposeAsync());

testJourneys(() => shop);

const chromium = findChromium();
describe.skipIf(chromium === null)('the shop in a browser (needs Chromium: CHROMIUM_PATH, or one on the path)', () => {
  const at = browserAt(() => shop, chromium ?? '');
  testGuest(at);
  testCustomers(at);
  testPasskeys(at);
  testTrouble(at);
});
