import { startShop } from '@storefront/example-storefront';
import { startProxy } from '@storefront/testing';
import { expect, it } from 'vitest';
import {
  ada,
  fillIn,
  narrowAndDark,
  place,
  press,
  proofViews,
  putIntoCart,
  untilShown,
  wideAndLight,
  type BrowserAt,
} from './browser.ts';
import { leaveInStock, notify } from './staff.ts';

/** What goes wrong while somebody shops, in a browser. */
export function testTrouble(at: BrowserAt): void {
  it('says that it waits for a slow API, and what to do about a dead one, and keeps what was typed', async () => {
    await using proxy = await proxyBefore(at);
    const { page, look, complaints, mayComplain } = await at.visitOf(wideAndLight);
    await at.logIn(page, at.shop.accounts.retail, proxy.storefront);
    await page.goto(`${proxy.storefront}/account`);
    await page.getByLabel('Phone').fill('030 5550101');
    // While a page waits for another one, nothing can be asked of it: it says itself what it shows.
    const said = Promise.withResolvers<string>();
    await page.exposeFunction('say', said.resolve);
    await page.evaluate(
      `addEventListener('submit', ({ submitter }) => say(submitter.ariaBusy + ' ' + document.querySelector('.wait').textContent))`,
    );
    proxy.api.hold();
    const pressed = press(page, 'Save');
    expect(await said.promise).toBe('true One moment, please …');
    proxy.api.accept();
    await pressed;
    await page.getByText('Saved.').waitFor();

    await page.getByLabel('Phone').fill('030 5550102');
    proxy.api.refuse();
    proxy.api.cut();
    mayComplain('status of 503');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'That did not work' }).waitFor();
    await look();
    proxy.api.accept();
    await press(page, 'Try again');
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('030 5550102');
    expect(complaints).toEqual([]);
  });

  it.each(proofViews)('goes on with what is left where stock ends at $width px, $colorScheme', async (view) => {
    const { page, look, complaints, mayComplain } = await at.visitOf(view);
    await putIntoCart(page, `${at.shop.storefront}/products/earl-grey-with-blue-cornflower-100-g`, 3);
    await putIntoCart(page, `${at.shop.storefront}/products/quilted-oven-mitt`);
    await page.getByRole('link', { name: 'To the checkout' }).click();
    const email = `short-${view.width}-${view.colorScheme}@browser.example`;
    await fillIn(page, { Email: email, ...ada, ...place });
    await press(page, 'On to delivery');
    await page.getByLabel('A note for us').fill('Ring twice');
    await using _tea = await leaveInStock(at.shop, 'earl-grey-with-blue-cornflower-100-g', 2);
    await using _mitts = await leaveInStock(at.shop, 'quilted-oven-mitt', 0);
    mayComplain('status of 422');
    await press(page, 'Order and pay');
    const alert = page.getByRole('alert');
    await alert.getByText('Earl Grey with blue cornflower, 100 g: There are only 2 of these.').waitFor();
    await alert.getByText('Quilted oven mitt: This is sold out.').waitFor();
    await look();
    await press(page, 'Go on with what is there');
    await alert.waitFor({ state: 'detached' });
    await look();
    expect(await page.getByLabel('A note for us').inputValue()).toBe('Ring twice');
    await page.getByText('Torstraße 6').waitFor();
    await press(page, 'Order and pay');
    await page.waitForURL(/\/pay\//);
    await page.goBack();
    await page.getByText('2 × €').waitFor();
    await press(page, 'Cancel the order');
    await untilShown(page, page.getByText('This order is cancelled'));
    expect(complaints).toEqual([]);
  });

  it.each(proofViews)('shows in one tab what another one has changed at $width px, $colorScheme', async (view) => {
    const { page, look, complaints, mayComplain, open } = await at.visitOf(view);
    const { retail } = at.shop.accounts;
    await at.logIn(page, retail);
    await putIntoCart(page, `${at.shop.storefront}/products/linen-tea-towels-set-of-two`);
    await page.getByRole('link', { name: 'To the checkout' }).click();
    await press(page, 'On to delivery');
    await page.getByLabel('A note for us').fill('Ring twice');
    const other = await open();
    await other.page.goto(`${at.shop.storefront}/cart`);
    await other.page.getByLabel('Quantity of Linen').fill('2');
    await press(other.page, 'Update the cart');
    await other.page.getByText('Linen').first().waitFor();

    const total = await page.getByRole('button', { name: 'Order and pay' }).textContent();
    mayComplain('status of 422');
    await press(page, 'Order and pay');
    await page.getByText('Please look at the new total, then order again.').waitFor();
    await look();
    expect(await page.getByRole('button', { name: 'Order and pay' }).textContent()).not.toBe(total);
    expect(await page.getByLabel('A note for us').inputValue()).toBe('Ring twice');

    // To another address, which is typed while the other tab logs out.
    await press(page, 'Change');
    await page.getByLabel('Another address').check();
    await fillIn(page, { Company: 'Engines & Co', ...place });
    await other.page.goto(`${at.shop.storefront}/account`);
    await press(other.page, 'Log out');
    await other.page.getByText('You are logged out').waitFor();
    await other.page.close();
    mayComplain('status of 401');
    await press(page, 'On to delivery');
    await page.getByText('what you have typed is kept').waitFor();
    await look();
    await fillIn(page, { Email: retail?.email ?? '', Password: retail?.password ?? '' });
    await press(page, 'Log in');
    await page.waitForURL(/\/checkout$/);
    expect(await page.getByLabel('Company').inputValue()).toBe('Engines & Co');
    await look();
    await press(page, 'On to delivery');
    await page.getByText('Engines & Co').waitFor();
    expect(await page.getByLabel('A note for us').inputValue()).toBe('Ring twice');
    await page.goto(`${at.shop.storefront}/cart`);
    await press(page, 'Remove Linen');
    await page.getByText('Linen').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  // The last one: it has the clocks of the whole system jump, and back again.
  it('goes on after a night of sleep: what was typed is sent, and notifications come as before', async () => {
    const { page, complaints, open } = await at.visitOf(narrowAndDark);
    const { retail } = at.shop.accounts;
    const serve = (port: number) => startShop({ apiUrl: at.shop.gateways[0] ?? '', name: 'Shop', port });
    let awake = await serve(0);
    const { url } = awake;
    await using _own = { [Symbol.asyncDispose]: () => awake.close() };
    await at.logIn(page, retail, url);
    await page.goto(`${url}/account`);
    await page.getByLabel('Phone').fill('030 5550103');
    const inbox = await open();
    const opened = () => inbox.page.waitForResponse((response) => response.url().endsWith('/notifications/stream'));
    const stream = opened();
    await inbox.page.goto(`${url}/notifications`);
    await stream;
    await notify(at.shop, retail?.email, 'Before the night');
    await inbox.page.getByText('Before the night').waitFor();

    // No connection of a laptop outlives its sleep, and no access token.
    inbox.mayComplain('net::ERR_');
    await awake.close();
    await notify(at.shop, retail?.email, 'In the night');
    using _morning = jumpAhead(8 * 3600);
    const resumed = opened();
    awake = await serve(Number(new URL(url).port));
    await resumed;
    await inbox.page.getByText('In the night').waitFor();
    await notify(at.shop, retail?.email, 'In the morning');
    await inbox.page.getByText('In the morning').waitFor();
    expect(await inbox.page.getByText('Before the night').count()).toBe(1);
    await inbox.look();
    await inbox.page.close();

    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('030 5550103');
    expect(complaints).toEqual([]);
  });
}

/** Has the clock of this process, which is that of the whole system, jump ahead by so many seconds until it is disposed of. */
function jumpAhead(seconds: number): Disposable {
  const real = globalThis.Date;
  const now = () => real.now() + seconds * 1000;
  globalThis.Date = new Proxy(real, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  return { [Symbol.dispose]: () => void (globalThis.Date = real) };
}

/** A shop of its own before the same API, which can be slowed down and cut off. */
async function proxyBefore({ shop }: BrowserAt) {
  const api = await startProxy(shop.gateways[0] ?? '');
  const started = await startShop({ apiUrl: api.url, name: 'Shop', port: 0 });
  const closeAll = async () => {
    await started.close();
    await api.close();
  };
  return { api, storefront: started.url, [Symbol.asyncDispose]: closeAll };
}
