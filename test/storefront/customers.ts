import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { password } from '../people.ts';
import {
  ada,
  confirm,
  fillIn,
  place,
  press,
  proofViews,
  putIntoCart,
  untilShown,
  wideAndLight,
  type BrowserAt,
} from './browser.ts';
import { approve, ship } from './staff.ts';

/** What customers with an account do, in a browser. */
export function testCustomers(at: BrowserAt): void {
  it('shows the pages of an account', async () => {
    const { page, look, complaints } = await at.visitOf(wideAndLight);
    await at.logIn(page, at.shop.accounts.trade);
    await look('/account');
    await page.goto(`${at.shop.storefront}/products/harbour-blend-espresso-beans`);
    await look();
    await press(page, 'Add to wishlist');
    await page.getByText('It is on your wishlist.').waitFor();
    await press(page, 'Share the list');
    const shared = page.getByRole('link', { name: '/wishlists/' });
    await shared.waitFor();
    await look();
    await look(await shared.getAttribute('href'));
    for (const path of ['orders', 'addresses', 'recipients', 'data']) await look(`/account/${path}`);
    await look('/notifications/preferences');
    await look('/checkout');
    await look('/invoices');
    await page.getByRole('link', { name: 'INV-' }).first().click();
    await page.waitForURL(/\/invoices\/./);
    await look();
    expect(complaints).toEqual([]);
  });

  it.each(proofViews)('serves a retail customer at $width px, $colorScheme', async (view) => {
    const { page, look, complaints, mayComplain } = await at.visitOf(view);
    const email = `retail-${view.width}-${view.colorScheme}@browser.example`;
    await look('/register?next=/account/addresses');
    await fillIn(page, { ...ada, Email: email, Password: 'short' });
    mayComplain('status of 422');
    await press(page, 'Make the account');
    await page.getByText('Please look at the marked fields.').waitFor();
    await look();
    await fillIn(page, { Password: password });
    await press(page, 'Make the account');
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    await look();
    await confirm(at, page, email);
    await page.waitForURL(/\/account\/addresses$/);
    await look();
    await fillIn(page, { ...place, Phone: '030 123456' });
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    await look();
    await look('/account/recipients');
    await fillIn(page, { 'First name': 'Grace', 'Last name': 'Hopper', ...place });
    await press(page, 'Save');
    await page.getByText('Grace Hopper').waitFor();
    await look();
    await look('/account');

    // The price and the picture of the chosen variant are shown at once.
    await look('/products/harbour-blend-espresso-beans');
    const before = await page.locator('.price.big').textContent();
    await page.getByLabel('1 kg').check();
    expect(await page.locator('.price.big').textContent()).not.toBe(before);
    await look();
    await press(page, 'Add to wishlist');
    await page.getByText('It is on your wishlist.').waitFor();
    await look();
    await page.getByRole('link', { name: 'Harbour Blend' }).click();
    await putIntoCart(page, page.url(), 2, '500 g');
    await page.getByLabel('Discount code').fill('WELCOME');
    await press(page, 'Use');
    await page.getByText('WELCOME: applied').waitFor();
    await look();
    await page.getByRole('link', { name: 'To the checkout' }).click();
    expect(await page.getByLabel('Torstraße 6').first().isChecked()).toBe(true);
    await look();
    await press(page, 'On to delivery');
    await page.getByLabel('A note for us').fill('Ring twice');
    await page.getByLabel('Express').check();
    await page.getByText('next working day').waitFor();
    await look();
    expect(await page.getByLabel('A note for us').inputValue()).toBe('Ring twice');
    const orderId = await payFor(page);
    await look();
    await look('/account/orders');
    await page.getByRole('link', { name: 'ORD-' }).waitFor();
    await page.goto(`${at.shop.storefront}/notifications`);
    await untilShown(page, page.getByRole('heading', { name: 'ORD-' }).first());
    await look();
    await press(page, 'I have read them');
    await page.getByRole('button', { name: 'I have read them' }).waitFor({ state: 'detached' });
    await look();
    await ship(at.shop, orderId);
    await page.goto(`${at.shop.storefront}/orders/${orderId}`);
    await untilShown(page, page.getByRole('heading', { name: 'Your order is on its way' }));
    await page.getByText('Send something back').click();
    await page.getByLabel('Harbour Blend').fill('1');
    await page.getByLabel('Why?').fill('Too dark');
    await look();
    await press(page, 'Announce the return');
    await page.getByText('Your return is announced.').waitFor();
    expect(await page.getByLabel('Harbour Blend').getAttribute('max')).toBe('1');
    await look();

    // For somebody whom the account knows.
    await putIntoCart(page, `${at.shop.storefront}/products/blue-mug-350-ml`);
    await page.getByRole('link', { name: 'To the checkout' }).click();
    await page.getByLabel('Grace Hopper').check();
    await press(page, 'On to delivery');
    await page.getByText('Grace Hopper').waitFor();
    await payFor(page);
    await page.getByText('Grace Hopper').waitFor();
    await press(page, 'Cancel the order');
    await page.getByText('The order is cancelled.').waitFor();
    await look();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await press(page, 'Log out');
    await page.getByText('You are logged out').waitFor();
    await look();
    expect(complaints).toEqual([]);
  });

  it.each(proofViews)('serves a business at $width px, $colorScheme', async (view) => {
    const { page, look, complaints, mayComplain } = await at.visitOf(view);
    const email = `trade-${view.width}-${view.colorScheme}@browser.example`;
    await look('/trade');
    await page.getByLabel('Business', { exact: true }).fill('Café Eins');
    await page.getByLabel('Address of the business').fill('Torstraße 6\n10119 Berlin');
    await fillIn(page, { ...ada, Phone: '030 123456', Email: email, Password: password });
    await press(page, 'Apply');
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    await confirm(at, page, email, /application/i);
    await page.getByText('the application of Café Eins').waitFor();
    await look();
    await look('/login');
    await fillIn(page, { Email: email, Password: password });
    mayComplain('status of 422');
    await press(page, 'Log in');
    await page.getByText('Your application is being looked at.').waitFor();
    await look();
    await approve(at.shop, email);
    await fillIn(page, { Password: password });
    await press(page, 'Log in');
    await page.getByText('Good to see you, Ada.').waitFor();
    await look();

    await putIntoCart(page, `${at.shop.storefront}/products/canvas-apron-with-pocket`, 2, 'M, olive');
    await look('/products/paper-filters-size-02-100-pieces');
    await putIntoCart(page, page.url(), 20);
    await look();
    await page.getByRole('link', { name: 'To the checkout' }).click();
    await fillIn(page, { Company: 'Café Eins', ...place });
    await look();
    await press(page, 'On to delivery');
    await page.getByLabel('On account, by invoice').check();
    await page.getByLabel('Your order number').fill('PO-7781');
    await look();
    await press(page, 'Order on account');
    await page.waitForURL(/\/orders\//);
    await untilShown(page, page.getByRole('heading', { name: 'Thank you for your order' }));
    await look();
    await page.goto(`${at.shop.storefront}/invoices`);
    const invoice = page.getByRole('link', { name: 'INV-' });
    await untilShown(page, invoice);
    await look();
    await invoice.click();
    await page.getByText('PO-7781').waitFor();
    await look();
    const paper = page.getByRole('link', { name: 'Invoice (PDF)' });
    const { href: address } = new URL(page.url());
    const read = await page.request.get(new URL((await paper.getAttribute('href')) ?? '', address).href);
    expect([read.status(), read.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await press(page, 'Pay now');
    await page.waitForURL(/\/pay\//);
    await page.locator('button[value="pay"]').first().click();
    await page.waitForURL(/\/invoices\//);
    await untilShown(page, page.getByText('· paid ·'));
    await page.getByText('Thank you, your payment has arrived.').waitFor();
    await look();
    await look('/account');
    await press(page, 'Log out');
    await page.getByText('You are logged out').waitFor();
    // Nobody sees the account by the way back.
    await page.goBack();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.getByText('Good to see you').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
}

/** Orders, pays on the page of the provider, and comes back to the order, whose id it answers. */
async function payFor(page: Page): Promise<string> {
  await press(page, 'Order and pay');
  await page.waitForURL(/\/pay\//);
  await page.locator('button[value="pay"]').first().click();
  await page.waitForURL(/\/orders\//);
  await untilShown(page, page.getByRole('heading', { name: 'Thank you for your order' }));
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}
