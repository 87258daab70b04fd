import { createApp } from '@storefront/example-storefront';
import { eventually } from '@storefront/testing';
import { generateSync } from 'otplib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { codeIn, mailTo } from '../client.ts';
import { password } from '../people.ts';
import { shopperAt, type Page, type Shopper } from './shopper.ts';
import { announce, approve, leaveInStock } from './staff.ts';
import type { DemoShop } from './system.ts';

// What shoppers do at the example shop, by its links and forms alone, without a script.

let shop: DemoShop;

const place = { homeAddress: 'Torstraße 6', city: '10119 Berlin', country: 'DE' };
const ada = { firstName: 'Ada', lastName: 'Lovelace' };

async function putIntoCart(shopper: Shopper, product: string, quantity = '1'): Promise<Page> {
  await shopper.open(`/products/${product}`);
  const cart = await shopper.press('Add to cart', { quantity });
  expect(cart.text).toContain('It is in your cart.');
  return cart;
}

const totalOf = ({ text }: Page) => /Total (€[\d.]+)/.exec(text)?.[1] ?? '';

/** Pays at the demo provider, as its form does, and comes back to the shop. */
async function pay(shopper: Shopper, order: Page): Promise<Page> {
  const payment = order.link('Pay now');
  expect(payment).toMatch(/\/pay\/pay_/);
  const paid = await fetch(payment, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  });
  const back = paid.headers.get('location') ?? '';
  return untilNot(shopper, await shopper.open(back), 'Your order waits for its payment');
}

/** Sends the order, and waits until everything of it is reserved. */
async function sendOrder(shopper: Shopper, fields?: Readonly<Record<string, string>>): Promise<Page> {
  return untilNot(shopper, await shopper.press('Order and pay', fields), 'We are reserving your order');
}

/** Opens the page again as long as it says this: on a busy machine it is shown before the order is as far. */
const untilNot = (shopper: Shopper, page: Page, said: string): Promise<Page> =>
  eventually(async () => {
    if (!page.text.includes(said)) return page;
    page = await shopper.open(page.url);
    return undefined;
  }, `a page that does not say “${said}” any more`);

type Login = Readonly<Record<'email' | 'password', string>>;

async function logIn(shopper: Shopper, who: Login, next = '/'): Promise<Page> {
  await shopper.open(`/login?next=${next}`);
  return shopper.press('Log in', who);
}

/** Ends all sessions of an account, from another browser. */
async function endSessions(who: Login): Promise<void> {
  const other = shopperAt(shop.storefront);
  await logIn(other, who, '/account/security');
  await other.press('Log out everywhere');
}

export function testJourneys(shopOf: () => DemoShop): void {
  beforeAll(() => {
    shop = shopOf();
  });

  describe('a guest', () => {
    it('finds something, buys it, reads the order by the link of the mail elsewhere, and cancels it', async () => {
      const guest = shopperAt(shop.storefront);
      expect((await guest.open('/')).text).toContain('New in the shop');
      const found = await guest.open('/search?q=taepot');
      expect(found.text).toContain('2 products');
      expect((await guest.press('Apply', { 'attr.material': 'stoneware' })).text).toContain('1 product');
      await putIntoCart(guest, 'sencha-superior-100-g', '2');
      expect((await guest.press('Use', { code: 'NOSUCHCODE' })).text).toContain('gives nothing for this cart');
      await guest.press('Remove NOSUCHCODE');

      await guest.open('/checkout');
      const wrong = await guest.press('On to delivery', { ...ada, ...place, email: 'guest@one.example', city: '' });
      const refused = await guest.press('Order and pay');
      expect([wrong.status, refused.status, refused.html]).toEqual([
        200,
        422,
        expect.stringContaining('id="city-wrong"'),
      ]);
      const step = await guest.press('On to delivery', { ...place });
      expect(step.text).toContain('Parcel');
      const order = await sendOrder(guest);
      expect(order.text).toContain('Your order waits for its payment');
      const placed = await pay(guest, order);
      expect(placed.text).toMatch(/Thank you for your order .*ORD-/);
      expect((await guest.open('/cart')).text).toContain('Your cart is empty');

      const mail = await mailTo(shop.mailbox ?? '', 'guest@one.example', /ORD-/);
      const [link = '', path = '', secret = ''] = /https?:\S+?(\/orders\/\w+)#secret=([\w-]+)/.exec(mail.Text) ?? [];
      expect(link.startsWith(shop.storefront)).toBe(true);
      const elsewhere = shopperAt(shop.storefront);
      expect((await elsewhere.open(path)).text).toContain('To see it, open the link of our mail');
      expect((await elsewhere.press('Show the order', { secret: 'another-secret' })).status).toBe(422);
      expect((await elsewhere.press('Show the order', { secret })).text).toContain('Thank you for your order');
      const paper = await elsewhere.request(`${path}/confirmation.pdf`);
      expect([paper.status, paper.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect((await elsewhere.press('Cancel the order')).text).toContain('your money goes back');
    });

    it('is told which line has sold out meanwhile, and goes on with the rest', async () => {
      const guest = shopperAt(shop.storefront);
      await putIntoCart(guest, 'sencha-superior-100-g');
      await putIntoCart(guest, 'assam-breakfast-tea-250-g');
      await guest.open('/checkout');
      await guest.press('On to delivery', { ...ada, ...place, email: 'guest@three.example' });
      await using _others = await leaveInStock(shop, 'assam-breakfast-tea-250-g', 0);
      const refused = await guest.press('Order and pay', { note: 'Ring twice' });
      expect(refused.text).toMatch(
        /is not there in this quantity any more.* Assam breakfast tea, 250 g ?: This is sold out/,
      );
      const rest = await guest.press('Go on with what is there');
      expect([rest.text.includes('Torstraße 6'), rest.html.includes('Ring twice')]).toEqual([true, true]);
      const order = await sendOrder(guest);
      expect(order.text).toContain('Your order waits for its payment');
      expect(order.text).not.toContain('Assam');
    });

    it('sees the new total before it is paid, where the cart has changed in another tab', async () => {
      const guest = shopperAt(shop.storefront);
      await putIntoCart(guest, 'sencha-superior-100-g');
      await guest.open('/checkout');
      const step = await guest.press('On to delivery', { ...ada, ...place, email: 'guest@four.example' });
      await putIntoCart(guest, 'blue-mug-350-ml');
      const refused = await guest.pressOn(step, 'Order and pay');
      expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/has changed/)]);
      expect(totalOf(refused)).not.toBe(totalOf(step));
    });
  });

  describe('somebody with an account', () => {
    it('registers by the code of a mail, takes the cart along, and orders to an address that is kept', async () => {
      const shopper = shopperAt(shop.storefront);
      await putIntoCart(shopper, 'blue-mug-350-ml');
      await shopper.open('/register?next=/cart');
      const short = await shopper.press('Make the account', { ...ada, email: 'ada@one.example', password: 'short' });
      expect([short.status, short.html]).toEqual([422, expect.stringContaining('password-wrong')]);
      await shopper.press('Make the account', { ...ada, email: 'ada@one.example', password });
      const code = codeIn(await mailTo(shop.mailbox ?? '', 'ada@one.example', /code/i));
      const cart = await shopper.press('Confirm', { code });
      expect(cart.text).toContain('Blue mug');

      await shopper.open('/account/addresses');
      await shopper.press('Save', { ...place, contactPhone: '030 123456' });
      await shopper.open('/account/recipients');
      expect((await shopper.press('Save', { firstName: 'Grace', lastName: 'Hopper', ...place })).text).toContain(
        'Grace Hopper',
      );
      await shopper.open('/checkout');
      const before = await shopper.press('On to delivery');
      await putIntoCart(shopper, 'sencha-superior-100-g');
      expect((await shopper.pressOn(before, 'Order and pay')).status).toBe(422);
      await shopper.open('/checkout');
      const step = await shopper.press('On to delivery');
      expect(step.text).toContain('Goes to Ada Lovelace Torstraße 6');
      const placed = await pay(shopper, await sendOrder(shopper));
      expect(placed.text).toContain('Thank you for your order');
      const orders = (await shopper.open('/account/orders')).text;
      expect(orders).toMatch(/ORD-\S+ .* placed/);
      expect(orders).not.toContain('refused');
      await eventually(
        async () => (await shopper.open('/notifications')).text.includes('ORD-'),
        'the notification of the order',
      );

      await shopper.open('/products/milk-oolong-75-g');
      expect((await shopper.press('Add to wishlist')).text).toContain('Milk oolong');
      const shared = (await shopper.press('Share the list')).link('/wishlists/');
      expect((await shopperAt(shop.storefront).open(shared)).text).toContain('Milk oolong');
      await shopper.open('/notifications/preferences');
      const mails = await shopper.press('Save', { offers: 'on' });
      expect(mails.html).toMatch(/name="offers"\s+checked/);
    });

    it('changes the email, guards the login by a second factor, sees where it is logged in, and logs out everywhere', async () => {
      const shopper = shopperAt(shop.storefront);
      await shopper.open('/account');
      expect((await shopper.press('Log in', { email: 'ada@one.example', password: 'not this one' })).text).toContain(
        'Email or password is wrong.',
      );
      expect((await shopper.press('Log in', { email: 'ada@one.example', password })).text).toContain(
        'Good to see you, Ada.',
      );
      await shopper.open('/account/security/email');
      const wrong = await shopper.press('Send the code', { email: 'ada@two.example', currentPassword: 'not this one' });
      expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('value="ada@two.example"')]);
      await shopper.press('Send the code', { currentPassword: password });
      const mail = await mailTo(shop.mailbox ?? '', 'ada@two.example', /code|confirm/i);
      expect((await shopper.press('Confirm', { code: codeIn(mail) })).text).toMatch(/Saved\. .* ada@two\.example/);
      await shopper.open('/account/security/factor');
      const setUp = await shopper.press('Set up an authenticator app', { currentPassword: password });
      const secret = /name="secret"\s+value="(\w+)"/.exec(setUp.html)?.[1] ?? '';
      expect((await shopper.press('Confirm', { code: '000000' })).status).toBe(422);
      const codes = await shopper.press('Confirm', { code: generateSync({ secret }) });
      const [recoveryCode = '', nextRecoveryCode = ''] = codes.text.match(/\b\w{4}-\w{4}-\w{4}\b/g) ?? [];

      await shopper.open('/account/recipients');
      const other = shopperAt(shop.storefront);
      await other.open('/login?next=/account/security');
      expect((await other.press('Log in', { email: 'ada@two.example', password })).text).toContain('Second factor');
      expect((await other.press('Log in', { code: recoveryCode })).text).toContain('9 recovery codes are left');
      await other.press('Log out everywhere');
      // What was typed comes back after the login, also by way of the second factor.
      const over = await shopper.press('Save', { firstName: 'Mary', lastName: 'Somerville', ...place });
      expect([over.status, over.text]).toEqual([401, expect.stringContaining('Your login is over.')]);
      await shopper.press('Log in', { email: 'ada@two.example', password });
      const back = await shopper.press('Log in', { code: nextRecoveryCode });
      expect([new URL(back.url).pathname, back.html]).toEqual([
        '/account/recipients',
        expect.stringContaining('value="Somerville"'),
      ]);
      expect(back.text).not.toContain('Mary Somerville');
      expect((await shopper.press('Save')).text).toContain('Mary Somerville');
    });

    it('gives a form back with what was typed, but for passwords, where the login was over', async () => {
      const { email, password } = shop.accounts.retail ?? { email: '', password: '' };
      const shopper = shopperAt(shop.storefront);
      const endAll = () => endSessions({ email, password });
      await logIn(shopper, { email, password });
      await putIntoCart(shopper, 'sencha-superior-100-g');
      await shopper.open('/checkout');
      await endAll();
      const over = await shopper.press('On to delivery', { to: 'new', ...ada, ...place, company: 'Engines & Co' });
      expect(over.text).toContain('Your login is over.');
      expect((await shopper.press('Log in', { email, password: 'not this one' })).status).toBe(422);
      const checkout = await shopper.press('Log in', { email, password });
      expect(checkout.html).toContain('value="Engines &amp; Co"');
      expect((await shopper.press('On to delivery')).text).toContain('Engines & Co');

      // Logged out in another tab, so that nothing in the browser says that there was a login.
      const tab = await shopper.open('/checkout');
      await shopper.open('/account');
      await shopper.press('Log out');
      const gone = await shopper.pressOn(tab, 'On to delivery', { to: 'new', ...ada, ...place, company: 'Tea & Co' });
      expect([gone.status, gone.text]).toEqual([401, expect.stringContaining('Your login is over.')]);
      expect((await shopper.press('Log in', { email, password })).html).toContain('value="Tea &amp; Co"');

      await shopper.open('/account/security/email');
      await endAll();
      const asked = await shopper.press('Send the code', { email: 'other@one.example', currentPassword: password });
      expect([asked.status, asked.html.includes(password)]).toEqual([401, false]);
      const form = await shopper.press('Log in', { email, password });
      expect(form.html).toContain('value="other@one.example"');
      // A button alone has nothing to come back to: its page is shown.
      await shopper.open('/products/blue-mug-350-ml');
      await endAll();
      await shopper.press('Add to wishlist');
      expect((await shopper.press('Log in', { email, password })).url).toContain('/products/blue-mug-350-ml');
    });

    it('gives it back also after a new account, and after a new password', async () => {
      const shopper = shopperAt(shop.storefront);
      const [email, next] = ['mary@one.example', 'another quiet lake at night'];
      const typed = expect.stringContaining('value="Somerville"');
      const retail = shop.accounts.retail ?? { email: '', password: '' };
      await logIn(shopper, retail);
      await shopper.open('/account/recipients');
      await endSessions(retail);
      await shopper.press('Save', { firstName: 'Mary', lastName: 'Somerville', ...place });
      await shopper.press('Make an account');
      await shopper.press('Make the account', { ...ada, email, password });
      const made = await shopper.press('Confirm', { code: codeIn(await mailTo(shop.mailbox ?? '', email, /code/i)) });
      expect([new URL(made.url).pathname, made.html]).toEqual(['/account/recipients', typed]);

      await endSessions({ email, password });
      await shopper.press('Save');
      await shopper.press('Password forgotten?');
      await shopper.press('Send the code', { email });
      const code = codeIn(await mailTo(shop.mailbox ?? '', email, /password/i));
      const set = await shopper.press('Set the password', { code, newPassword: next });
      expect(set.text).toContain('Your new password is set.');
      const back = await shopper.press('Log in', { password: next });
      expect([new URL(back.url).pathname, back.html]).toEqual(['/account/recipients', typed]);
      expect((await shopper.press('Save')).text).toContain('Mary Somerville');
    });

    it('has the account erased, by the password alone', async () => {
      const shopper = shopperAt(shop.storefront);
      await shopper.open('/register');
      await shopper.press('Make the account', { ...ada, email: 'erased@one.example', password });
      await shopper.press('Confirm', { code: codeIn(await mailTo(shop.mailbox ?? '', 'erased@one.example', /code/i)) });
      await shopper.open('/account/data/erase');
      expect((await shopper.press('Erase it for good', { currentPassword: 'not this one' })).status).toBe(422);
      expect((await shopper.press('Erase it for good', { currentPassword: password })).text).toContain(
        'is being erased',
      );
      await shopper.open('/login');
      expect((await shopper.press('Log in', { email: 'erased@one.example', password })).text).toContain(
        'Email or password is wrong.',
      );
    });
  });

  describe('a business', () => {
    it('applies for a trade account, and buys on account once it is approved', async () => {
      const shopper = shopperAt(shop.storefront);
      const email = 'buyer@cafe.example';
      await shopper.open('/trade');
      const business = { businessName: 'Café Eins', businessAddress: 'Torstraße 6\n10119 Berlin', phone: '030 123456' };
      await shopper.press('Apply', { ...ada, ...business, email, password });
      const code = codeIn(await mailTo(shop.mailbox ?? '', email, /application/i));
      expect((await shopper.press('Confirm', { code })).text).toContain('the application of Café Eins');
      await shopper.open('/login');
      expect((await shopper.press('Log in', { email, password })).text).toContain(
        'Your application is being looked at.',
      );
      await approve(shop, email);
      expect((await shopper.press('Log in', { email, password })).text).toContain('Good to see you, Ada.');

      expect((await shopper.open('/products/harbour-blend-espresso-beans')).text).toContain(
        'Trade price, tax comes on top',
      );
      await putIntoCart(shopper, 'harbour-blend-espresso-beans', '12');
      await shopper.open('/checkout');
      await shopper.press('On to delivery', { ...ada, ...place, company: 'Café Eins' });
      const placed = await sendOrder(shopper, { method: 'invoice', reference: 'PO-7781' });
      expect(placed.text).toContain('Thank you for your order');
      const invoices = await eventually(async () => {
        const page = await shopper.open('/invoices');
        return page.text.includes('INV-') ? page : undefined;
      }, 'the invoice of the order');
      const invoice = await shopper.open(invoices.link('INV-'));
      expect(invoice.text).toContain('PO-7781');
      const paper = await shopper.request(invoice.link('Invoice (PDF)'));
      expect([paper.status, paper.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect((await shopper.press('Pay now')).link('On to the payment')).toMatch(/\/pay\/pay_/);
    });
  });

  describe('the shop', () => {
    it('sends strict headers, no inline script or style, and little JavaScript', async () => {
      const shopper = shopperAt(shop.storefront);
      const page = await shopper.request('/products/sencha-superior-100-g');
      expect(page.headers.get('content-security-policy')).toMatch(
        /default-src 'self'; .*form-action 'self'; frame-ancestors 'none'/,
      );
      const html = await page.text();
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*src)/);
      expect(html.match(/<script/g)).toHaveLength(1);
      const [, script = ''] = /<script src="([^"]+)"/.exec(html) ?? [];
      const sent = await shopper.request(script);
      expect((await sent.text()).length).toBeLessThan(6000);
      expect(sent.headers.get('cache-control')).toContain('immutable');
    });

    it('takes no form of another site, leads nowhere else, and escapes what it shows', async () => {
      const shopper = shopperAt(shop.storefront);
      const init = { method: 'POST', body: new URLSearchParams({ email: 'x@one.example', password }) };
      expect((await shopper.request('/login', { ...init, headers: { origin: 'https://evil.example' } })).status).toBe(
        403,
      );
      const away = new URLSearchParams({ language: 'de', back: '//evil.example' });
      const turned = await shopper.request('/language', { method: 'POST', body: away });
      expect(turned.headers.get('location')).toBe('/');
      const attack = '"><script>alert(1)</script>';
      expect((await shopper.open(`/search?q=${encodeURIComponent(attack)}`)).html).not.toContain('<script>alert');
      expect((await shopper.open('/')).text).toContain('Neu im Shop');
      expect((await shopper.open('/nothing/here')).status).toBe(404);
    });

    it('says what is wrong with a field in the language of the page', async () => {
      const body = new URLSearchParams({ email: 'no email', lastName: 'Lovelace', password: 'short' });
      const init = { method: 'POST', body, headers: { 'accept-language': 'de' } };
      const refused = await (await shopperAt(shop.storefront).request('/register', init)).text();
      const wrong = [...refused.matchAll(/id="(\w+)-wrong">([^<]*)/g)].map(([, name, text]) => [name, text]);
      expect(Object.fromEntries(wrong)).toEqual({
        firstName: 'Bitte füllen Sie das aus.',
        email: 'Bitte prüfen Sie das.',
        password: 'Dieses Passwort ist zu kurz.',
      });
    });

    it('names the address of the shopper to the API, and not what the shopper claims it to be', async () => {
      const { cookie } = await logInFrom('203.0.113.7');
      const sessions = await (await ask('/account/security', { headers: { cookie } })).text();
      expect(sessions).toContain('203.0.113.7 ·');
      expect(sessions).not.toContain('198.51.100.1');
    });

    it('renews a session before its token expires, for two tabs at once, and writes it into the answer', async () => {
      const { cookie } = await logInFrom('203.0.113.8');
      // Hours old: neither its time nor the token itself is worth anything any more.
      const late = cookie.replace(/session=[^~]*~[^~]*/, 'session=1~stale');
      const tabs = await Promise.all(
        ['/account', '/account/orders'].map((path) => ask(path, { headers: { cookie: late } })),
      );
      expect(tabs.map(({ status }) => status)).toEqual([200, 200]);
      const [renewed] = tabs.map(cookiesOf);
      expect(renewed).toMatch(/session=\d+~/);
      expect((await ask('/account', { headers: { cookie: renewed ?? '' } })).status).toBe(200);
    });

    it('reads the cart once for a page', async () => {
      const found = await ask('/products/sencha-superior-100-g');
      const fields = (await found.text()).matchAll(/name="(productId|variantId)" value="(\w+)"/g);
      const body = new URLSearchParams([...fields].map(([, name = '', value = '']): [string, string] => [name, value]));
      const added = await ask('/products/sencha-superior-100-g', { method: 'POST', headers: { origin: url }, body });
      const cookie = cookiesOf(added);
      for (const path of ['/cart', '/checkout', '/']) {
        const asked = vi.spyOn(globalThis, 'fetch');
        expect((await ask(path, { headers: { cookie } })).status).toBe(200);
        const urls = asked.mock.calls.map(([input]) => (typeof input === 'string' ? new URL(input).pathname : ''));
        asked.mockRestore();
        expect([path, urls.filter((each) => /^\/v1\/carts\/cart_\w+$/.test(each)).length]).toEqual([path, 1]);
      }
    });

    it('leads from a mail about offers to its own page, which ends them', async () => {
      const shopper = shopperAt(shop.storefront);
      const { email, password } = shop.accounts.retail ?? { email: '', password: '' };
      await shopper.open('/login?next=/notifications/preferences');
      await shopper.press('Log in', { email, password });
      await shopper.press('Save', { marketing: 'on' });
      await announce(shop, email);
      const mail = await mailTo(shop.mailbox ?? '', email, /Spring/);
      const [, token = ''] = new RegExp(`${shop.storefront}/unsubscribe/([\\w-]{64})`).exec(mail.Text) ?? [];
      const page = await shopper.open(`/unsubscribe/${token}`);
      expect(page.text).toContain('No more of these mails?');
      expect((await shopper.press('Send me none any more')).text).toContain('You get no more of these mails.');
      const choice = await shopper.open('/notifications/preferences');
      expect(choice.html).not.toMatch(/name="marketing"\s+checked/);
    });

    it('serves every page to which mails lead', async () => {
      const shopper = shopperAt(shop.storefront);
      await shopper.open('/login');
      await shopper.press('Log in', { ...shop.accounts.trade });
      const paths = [
        '/',
        '/login',
        '/password/forgot',
        '/password/reset',
        '/changes/revert',
        '/account/data',
        '/wishlist',
      ];
      for (const path of [
        ...paths,
        '/cart',
        '/invoices',
        '/notifications',
        '/notifications/preferences',
        '/account/recipients',
      ])
        expect([path, (await shopper.open(path)).status]).toEqual([path, 200]);
      for (const name of ['imprint', 'terms', 'privacy', 'returns'])
        expect((await shopper.open(`/legal/${name}`)).status).toBe(200);
    });
  });
}

const url = 'http://shop.example';
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');

/** A request of a shopper at this address, without the network between them. */
async function ask(path: string, init: RequestInit = {}, address = '203.0.113.7'): Promise<Response> {
  const app = createApp({ apiUrl: shop.gateways[0] ?? '', name: 'Shop', url });
  const incoming = { socket: { remoteAddress: address, remotePort: 4711, remoteFamily: 'IPv4' } };
  return app.request(path, init, { incoming });
}

async function logInFrom(address: string): Promise<{ cookie: string }> {
  const body = new URLSearchParams({ ...shop.accounts.retail });
  const headers = { origin: url, 'x-forwarded-for': '198.51.100.1' };
  return { cookie: cookiesOf(await ask('/login', { method: 'POST', headers, body }, address)) };
}
