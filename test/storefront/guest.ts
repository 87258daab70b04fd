import { it, expect } from 'vitest';
import {
  ada,
  fillIn,
  narrowAndDark,
  place,
  proofViewsOr,
  untilShown,
  wideAndLight,
  type BrowserAt,
} from './browser.ts';

/** What a guest does at the shop, in a browser. */
export function testGuest(at: BrowserAt): void {
  it.each(proofViewsOr(narrowAndDark))('sells to a guest at $width px, $colorScheme', async (view) => {
    const { page, look, complaints } = await at.visitOf(view);
    await look('/');
    await look('/categories/tea');
    await page.getByText('Material').click();
    await page.getByLabel('stoneware').check();
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await page.waitForURL(/material=stoneware/);
    await look('/search?q=nothing+like+this');
    await look('/products/stoneware-teapot-1-2-litre');
    await page.getByLabel('sand').check();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.waitForURL(/\/cart\?done=added$/);
    await page.getByLabel('Discount code').fill('NOSUCHCODE');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText('gives nothing for this cart').waitFor();
    await look();
    await page.getByRole('button', { name: 'Remove NOSUCHCODE' }).click();
    await page.getByText('gives nothing for this cart').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'To the checkout' }).click();
    await page.waitForURL(/\/checkout$/);
    await look();
    await fillIn(page, { Email: 'guest@two.example', ...ada });
    await fillIn(page, place);
    await page.getByRole('button', { name: 'On to delivery' }).click();
    // The choice is sent at once, and the total is another one.
    await page.getByLabel('Express').check();
    await page.getByRole('button', { name: 'Order and pay €47.75' }).waitFor();
    await look();
    await page.getByRole('button', { name: 'Order and pay €47.75' }).click();
    // The page of the order leads on by itself.
    await page.waitForURL(/\/pay\//);
    await look();
    await page.locator('button[value="pay"]').first().click();
    await page.waitForURL(/\/orders\//);
    await untilShown(page, page.getByRole('heading', { name: 'Thank you for your order' }));
    await look();
    await look('/orders/ord_01h455vb4pex5vsknk084sn02q');
    await look('/nothing/here', 404);
    await look('/legal/privacy');
    await look('/trade');
    await look('/register');
    await look('/login');
    expect(complaints).toEqual([]);
  });

  it('fills in the secret of a link, which no server has seen', async () => {
    const { page, complaints } = await at.visitOf(wideAndLight);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${at.shop.storefront}/password/reset#code=a-long-code-of-a-mail`);
    await page.waitForURL(`${at.shop.storefront}/password/reset`);
    expect(await page.getByLabel('Code').inputValue()).toBe('a-long-code-of-a-mail');
    expect(asked.filter((url) => url.includes('a-long-code'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('without a script, makes one order of a button that is pressed twice, and offers no passkey', async () => {
    await using context = await at.browser.newContext({ locale: 'en-GB', javaScriptEnabled: false });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    await page.goto(`${at.shop.storefront}/login`);
    expect(await page.getByText('Log in with a passkey').isVisible()).toBe(false);
    await at.logIn(page, at.shop.accounts.trade);
    await page.goto(`${at.shop.storefront}/account/orders`);
    const before = await page.getByRole('row').count();
    await page.goto(`${at.shop.storefront}/products/sencha-superior-100-g`);
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.waitForURL(/\/cart\?done=added$/);
    await page.goto(`${at.shop.storefront}/checkout`);
    if (await page.getByLabel('Another address').isVisible()) await page.getByLabel('Another address').check();
    await fillIn(page, place);
    await page.getByRole('button', { name: 'On to delivery' }).click();
    const button = page.getByRole('button', { name: /^Order/ });
    await button.waitFor();
    await page.waitForLoadState('load');
    await button.scrollIntoViewIfNeeded();
    const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
    const pressed = Promise.withResolvers<void>();
    let times = 0;
    await context.route('**/checkout', async (route) => {
      times += 1;
      if (times > 1) return route.continue();
      // The order is made, but the button is pressed again before the answer has come.
      await route.fetch({ maxRedirects: 0 });
      return pressed.resolve();
    });
    await page.mouse.click(x + 9, y + 9);
    await pressed.promise;
    await page.mouse.click(x + 9, y + 9);
    await page.getByRole('link', { name: 'Look again' }).waitFor();
    await untilShown(page, page.getByRole('link', { name: 'Pay now' }));
    await page.goto(`${at.shop.storefront}/account/orders`);
    expect([times, await page.getByRole('row').count()]).toEqual([2, before + 1]);
  });
}
