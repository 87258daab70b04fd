import { randomUUID } from 'node:crypto';
import type { AdminClient } from '@storefront/client/admin';
import { eventually } from '@storefront/testing';
import { generateSync } from 'otplib';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signDemoCallback } from '../../packages/demo-provider/src/index.ts';
import { onePixel } from '../../packages/testing/src/pictures.ts';
import { staffAt } from '../../test/people.ts';
import { applyForTrade, orderOnAccount } from './customers.ts';
import { keysOf, mouseOf, type Hands } from './hands.ts';
import { pages } from './pages.ts';
import { executablePath, isProof, orWhyNot, startConsole, views, type StartedConsole } from './system.ts';

// Carries the main way of every page through by the keyboard alone, where nothing clicks, fills or focuses, and by the mouse. Only for
// `npm run proof -- browsers`, since it starts a system of its own; `npm test` ships one order by keys, in console.e2e.test.ts.

const opened = new AsyncDisposableStack();
let started: StartedConsole;
let api: AdminClient;
let secret: string;
let recoveryCodes: string[] = [];
const codesOfView = 2;
const paletteField = '[data-palette] input:focus';
if (isProof)
  beforeAll(async () => {
    started = await startConsole(opened);
    api = await staffAt(started.stack.gateways[0], started.stack.accounts.admin);
    // Each view ends one of them. They begin before a login needs a code, each of which works once.
    for (const _one of all) await staffAt(started.stack.gateways[0], started.stack.accounts.admin);
    // Without a second factor nobody disables staff.
    ({ secret } = await api.secondFactor.beginTotp());
    const { recoveryCodes: made } = await api.secondFactor.confirmTotp({ body: { code: generateSync({ secret }) } });
    recoveryCodes = made ?? [];
  });
afterAll(() => opened.disposeAsync());

/** The administrator proves first, by a code of the app, who it is. */
async function moreRecoveryCodes(): Promise<string[]> {
  await api.secondFactor.reauthenticate({ body: { code: generateSync({ secret }) } });
  return (await api.secondFactor.makeRecoveryCodes()).recoveryCodes;
}

it.skipIf(!isProof)('has a system and a browser for it (only for `npm run proof -- browsers`)', () => {
  expect([started.console, started.browser.isConnected()]).toEqual([expect.stringContaining('/console'), true]);
});

// Each view finds what it works with by this word, so that all of them can use one system.
const hands = { keyboard: keysOf, mouse: mouseOf };
const all = views.flatMap((view) => (['keyboard', 'mouse'] as const).map((hand) => [hand, ...view] as const));
describe.skipIf(executablePath === null).each(isProof ? all : [])(
  `the console by the %s alone, %s at %i px${orWhyNot}`,
  (hand, colorScheme, width) => {
    const word = `${hand}${colorScheme}${width}`;
    let page: Page;
    let keys: Hands;
    const visited = new Set<string>();

    const link = (name: string | RegExp) =>
      page.getByRole('link', { name, ...(typeof name === 'string' && { exact: true }) });
    const button = (name: string | RegExp, within: Page | Locator = page) =>
      within.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
    const field = (name: string | RegExp, within: Page | Locator = page) =>
      within.getByLabel(name, { ...(typeof name === 'string' && { exact: true }) });
    const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
    const shows = (text: string | RegExp) =>
      page
        .locator('#main')
        .getByText(text, { ...(typeof text === 'string' && { exact: true }) })
        .first()
        .waitFor();
    const heading = (name: string | RegExp) =>
      page.getByRole('heading', { level: 1, name, ...(typeof name === 'string' && { exact: true }) }).waitFor();

    /** Opens a page of the menu as its title is typed. */
    async function open(title: string): Promise<void> {
      if (keys.haveMouse) {
        if (width < 900) await keys.on(button('Menu'));
        return keys.on(page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: title, exact: true }));
      }
      await keys.press('Control+k');
      await page.locator(paletteField).waitFor();
      await keys.type(title);
      await keys.press('Enter');
      await keys.gone(dialog('Find orders, people …'));
    }
    /** Finds something by its id. */
    async function openById(id: string, title: string | RegExp): Promise<void> {
      if (keys.haveMouse) await keys.on(button(/^Find orders/));
      else await keys.press('Control+k');
      await page.locator(paletteField).waitFor();
      await keys.type(id);
      const found = page.getByRole('option', { name: id });
      await found.waitFor();
      if (keys.haveMouse) await keys.on(found);
      else await keys.press('Enter');
      await heading(title);
    }
    /** Opens the dialog of a button, does what there is to do, and has it done. */
    async function act(name: string, work: (within: Locator) => Promise<void> = async () => {}, verb = name) {
      await keys.on(button(name));
      await dialog(name).waitFor();
      await work(dialog(name));
      await keys.on(button(verb, dialog(name)));
      await keys.gone(dialog(name));
    }
    /** Opens the dialog of a button and leaves it, and is at the button again. */
    async function lookAt(name: string, work: (within: Locator) => Promise<void> = async () => {}) {
      await keys.on(button(name));
      await dialog(name).waitFor();
      await work(dialog(name));
      if (keys.haveMouse) await keys.on(button('Close', dialog(name)));
      else await keys.press('Escape');
      await keys.gone(dialog(name));
      if (keys.haveMouse) return;
      expect(
        await button(name)
          .first()
          .evaluate((one) => one === document.activeElement),
        name,
      ).toBe(true);
    }
    /** Follows what a list has of this kind: its first row that is new enough. */
    async function openRow(): Promise<void> {
      await page.locator('tbody:not([data-old]) tr').first().waitFor();
      if (keys.haveMouse) return keys.on(page.locator('tbody:not([data-old]) a'));
      // Out of the fields above the list, where `j` is a letter.
      await keys.to(page.locator('#main [role=region][tabindex="0"]'));
      await keys.press('j');
      await page.locator('tbody tr[data-current]').waitFor();
      await keys.press('o');
    }
    async function searchFor(text: string): Promise<void> {
      if (!keys.haveMouse) await keys.press('/');
      await keys.write(page.getByRole('searchbox', { name: 'Search this list' }), text);
      await button(`Remove the filter: Words: ${text}`).waitFor();
      await page.locator('tbody[data-old]').waitFor({ state: 'detached' });
    }

    async function searchOrFilter(name: string, choice: string): Promise<void> {
      await keys.on(button('Filter'));
      await keys.choose(field(name), choice);
      await button(`Remove the filter: ${name}: ${choice}`).waitFor();
      await page.locator('tbody[data-old]').waitFor({ state: 'detached' });
    }

    const product = (name: string) => ({
      sku: `${word}-${name}`,
      name: `${word} ${name}`,
      status: 'draft' as const,
      stock: 4,
      price: { amount: 100, currency: 'EUR' },
    });

    /** Two invoices that nobody has paid: one for each of two orders that are shipped. */
    async function twoInvoices() {
      for (const which of ['one', 'two']) {
        const id = await orderOnAccount(started.stack, { pieces: 2, reference: `${word}-invoice-${which}` });
        await api.orders.createShipment({ params: { id }, body: {} });
      }
      return eventually(async () => {
        const { data } = await api.invoices.listInvoices({ query: { limit: 20 } });
        const found = data.filter(({ reference }) => reference?.startsWith(`${word}-invoice`));
        return found.length === 2 ? found : undefined;
      }, 'the invoices of the two orders');
    }

    /** The provider states that 7 euros were paid, for an invoice that there is not. Returns the id of the payment. */
    async function payNobody(): Promise<string> {
      const id = `evt_${randomUUID()}`;
      const data = {
        invoiceNumber: 'INV-1999-000001',
        amount: { amount: 700, currency: 'EUR' },
        providerReference: `tr_${word}`,
      };
      const body = JSON.stringify({ id, type: 'payment.succeeded', createdAt: new Date().toISOString(), data });
      const signature = signDemoCallback(started.stack.payments.demo?.secret ?? '', body, new Date());
      await fetch(`${started.stack.gateways[0]}/v1/payments/callbacks/demo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'payment-signature': signature },
        body,
      });
      return eventually(async () => {
        const { data } = await api.payments.listPayments({ query: { status: 'unallocated' } });
        return data[0]?.id;
      }, 'the payment that belongs to nobody');
    }

    /** One of the mails is shown as if it had failed: the mailbox takes all of them. Says what is asked for. */
    async function aFailedMail(): Promise<{ readonly id: string; readonly asked: string[] }> {
      const [mail] = (await api.notifications.listDeliveries({ query: { limit: 1 } })).data;
      const asked: string[] = [];
      await page.route(`**/v1/notifications/deliveries/${mail?.id}`, (route) =>
        route.fulfill({ json: { ...mail, status: 'failed', reason: 'invalid_address' } }),
      );
      await page.route(`**/v1/notifications/deliveries/${mail?.id}/retry`, (route) => {
        asked.push(route.request().method());
        return route.fulfill({ json: mail });
      });
      return { id: mail?.id ?? '', asked };
    }

    /** The first call of this kind is answered as if the last proof were too old. */
    async function proofIsAskedFor(path: string): Promise<void> {
      const problem = {
        type: 'about:blank',
        title: 'Forbidden',
        status: 403,
        code: 'reauthentication_required',
        detail: 'Prove it.',
        methods: ['recovery-code'],
      };
      let isAsked = false;
      await page.route(path, (route) => {
        if (isAsked || route.request().method() !== 'POST') return route.continue();
        isAsked = true;
        return route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem });
      });
    }

    /** Without a broker there are no dead letters: one is made up, and what is asked for is noted. */
    async function aDeadLetter(): Promise<string[]> {
      const asked: string[] = [];
      const event = { id: `evt_${'0'.repeat(26)}`, type: 'a.made-up-event', subject: 'nobody', time: new Date() };
      const letter = {
        position: 1,
        queue: 'a.queue',
        reason: 'no',
        attempts: 3,
        firstSeenAt: null,
        deadSince: null,
        event,
      };
      await page.route('**/v1/dead-letters**', (route) => {
        if (route.request().method() === 'GET') return route.fulfill({ json: { data: [letter], nextCursor: null } });
        asked.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
        return route.fulfill({ json: { replayed: 1, dropped: 1 } });
      });
      return asked;
    }

    const onlyByKeys = 'the frame: skip, menu, search, keys, account';
    const ways: Readonly<Record<string, () => Promise<void>>> = {
      async 'sign in'() {
        const { email, password } = started.stack.accounts.admin;
        await page.goto(started.console);
        await field('Email').waitFor();
        await keys.type(email);
        await keys.write(field('Password'), 'not my password');
        await keys.press('Enter');
        await page.getByRole('alert').getByText('Email or password is wrong.').waitFor();
        await keys.write(field('Password'), password);
        await keys.on(button('Sign in'));
        await keys.choose(field('By'), 'Recovery code');
        await keys.write(field('Recovery code'), recoveryCodes.pop() ?? '');
        await keys.press('Enter');
        await heading(/^Hello/);
      },

      // First what needs a proof that is not older than five minutes.
      async 'staff: end sessions, disable and enable somebody'() {
        const { stack } = started;
        await staffAt(stack.gateways[0], stack.accounts.support ?? stack.accounts.admin);
        await open('People');
        await keys.on(link('Staff'));
        await heading('Staff');
        const row = page.getByRole('row').filter({ hasText: 'support@example.com' });
        await keys.on(button('End sessions', row));
        await keys.on(button('End sessions', dialog('End sessions')));
        await keys.gone(dialog('End sessions'));
        await keys.gone(button('End sessions', row));
        for (const name of ['Disable', 'Enable']) {
          await keys.on(button(name, row));
          await keys.write(field('Reason', dialog(name)), 'A test');
          await keys.on(button(name, dialog(name)));
          await keys.gone(dialog(name));
        }
        await row.getByText('Enabled').waitFor();
      },

      async 'API tokens: make one, revoke it, and the proof that is asked for'() {
        await open('People');
        await keys.on(link('API tokens'));
        await heading('API tokens');
        await proofIsAskedFor('**/v1/api-tokens');
        await keys.on(button('New token'));
        await keys.write(field('Name', dialog('New token')), word);
        await keys.on(field('catalog:read', dialog('New token')), 'Space');
        await keys.on(button('New token', dialog('New token')));
        await dialog('Prove that it is you').waitFor();
        await keys.type(recoveryCodes.pop() ?? '');
        await keys.press('Enter');
        await dialog('Prove that it is you').waitFor({ state: 'detached' });
        await keys.gone(dialog('New token'));
        await shows('Copy the token now: it is shown this once.');
        await keys.on(page.getByRole('checkbox', { name: `Select ${word}` }), 'Space');
        await keys.on(button('Revoke'));
        await keys.on(button('Do it for 1', dialog('Revoke')));
        await keys.on(button('Done', dialog('Revoke')));
        await keys.gone(dialog('Revoke'));
        await page.getByRole('checkbox', { name: `Select ${word}` }).waitFor({ state: 'detached' });
      },

      async 'account: end another session, begin a second factor'() {
        await keys.on(button('Your account'));
        await keys.pick(page.getByRole('menuitem').first());
        await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
        const sessions = page.getByRole('button', { name: 'End this session' });
        await sessions.first().waitFor();
        const before = await sessions.count();
        await keys.on(sessions);
        await eventually(async () => (await sessions.count()) < before, 'the session to be ended');
        await keys.on(button('Set up an authenticator app'));
        await keys.gone(button('Set up an authenticator app'));
        await keys.write(field('Code of the authenticator app'), '000000');
        await keys.on(button('Confirm'));
        await page.getByRole('alert').first().waitFor();
      },

      async 'people: search, open, change the role, and what an erasure asks'() {
        const { email } = started.stack.accounts.retail ?? started.stack.accounts.admin;
        await open('People');
        await searchFor(email);
        await openRow();
        await shows(email);
        await lookAt('Erase the account', async (within) => {
          await keys.write(field('Type the email or the id of the account', within), 'somebody@else.example');
          await keys.press('Enter');
          await within.getByText('That is another email or id.').waitFor();
        });
        await lookAt('Export the data');
        await act(
          'Change the role',
          async (within) => {
            await keys.choose(field('Role', within), 'Support');
            await keys.write(field('Reason', within), 'She helps us out');
          },
          'Save',
        );
        await act('Change the role', (within) => keys.choose(field('Role', within), 'Customer'), 'Save');
      },

      async 'the frame: skip, menu, search, keys, account'() {
        await keys.on(link('Skip to the content'));
        await keys.on(page.locator('#main a').first());
        await heading('Orders');
        if (width < 900) {
          await keys.on(button('Menu'));
          await keys.press('Escape');
          await keys.on(button('Menu'));
        }
        await keys.on(page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Catalog' }));
        await heading('Catalog');
        expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
        await keys.on(button(/^Find orders/));
        const found = dialog('Find orders, people …');
        await page.locator(paletteField).waitFor();
        await keys.type('setti');
        await found.getByRole('option', { name: /^Settings/, selected: true }).waitFor();
        await keys.press('Enter');
        await keys.gone(found);
        await heading('Settings');
        await keys.press('?');
        await dialog('Keys').waitFor();
        await keys.press('Escape');
        await keys.gone(dialog('Keys'));
        await keys.on(button('Your account'));
        await keys.pick(page.getByRole('menuitem', { name: 'Keys' }));
        await dialog('Keys').waitFor();
        await keys.press('Escape');
        await keys.gone(dialog('Keys'));
      },

      async home() {
        if (keys.haveMouse) await open('Home');
        else await keys.press('g', 'h');
        await heading(/^Hello/);
        await keys.on(link(/^Orders to ship/));
        await button('Remove the filter: Fulfilment: Open').waitFor();
      },

      async 'orders: filter, open one, export, ship what is selected'() {
        await orderOnAccount(started.stack, { reference: `${word}-bulk` });
        await open('Orders');
        await keys.on(button('Filter'));
        await keys.choose(field('Fulfilment'), 'Open');
        await button('Remove the filter: Fulfilment: Open').waitFor();
        await lookAt('Export', () => keys.type('10102026'));
        await openRow();
        await button('Ship').waitFor();
        await open('Orders');
        await searchOrFilter('Fulfilment', 'Open');
        await keys.on(page.getByRole('checkbox', { name: /^Select (?!all)/ }), 'Space');
        await keys.on(button('Ship'));
        await keys.on(button('Do it for 1', dialog('Ship')));
        await keys.on(button('Done', dialog('Ship')));
        await keys.gone(dialog('Ship'));
        await keys.on(button('Clear all'));
        await keys.gone(button('Remove the filter: Fulfilment: Open'));
      },

      async 'order: ship a part, cancel the rest, take a part back, refund it'() {
        const id = await orderOnAccount(started.stack, { pieces: 3, reference: word });
        const { number } = await api.orders.getOrder({ params: { id } });
        await openById(id, number ?? id);
        await act('Ship', async (within) => {
          await keys.write(field(/^Pieces: /, within), '2');
          await keys.write(field('Carrier', within), 'Bicycle');
        });
        await shows('Partial');
        await act('Cancel order', (within) => keys.write(field('Reason', within), 'Too many'));
        await button('Cancel order').waitFor({ state: 'detached' });
        await act('Announce a return', async (within) => {
          await keys.write(field(/^Pieces: /, within), '1');
          await keys.write(field('Reason', within), 'Too dark');
        });
        await act('Note as received', (within) => keys.on(field('The pieces can be sold again', within), 'Space'));
        await act('Refund', async (within) => {
          await within.getByText(/^About €0.00 goes back/).waitFor();
          await keys.write(field(/^Pieces: /, within), '1');
          await within.getByText(/^About €0.00 goes back/).waitFor({ state: 'detached' });
          await keys.write(field('Reason', within), 'Came back');
        });
        await act('Change', (within) => keys.write(field('Note of the staff', within), word), 'Save');
        await keys.on(button('More'));
        await keys.pick(page.getByRole('menuitem', { name: 'Note as delivered' }));
        await shows('Delivered');
        const order = await api.orders.getOrder({ params: { id } });
        expect(order).toMatchObject({ staffNote: word, returns: [{ status: 'received' }] });
        expect(order.lines[0]).toMatchObject({ shipped: 2, cancelled: 1, returned: 1, refunded: 1 });
      },

      async 'trade accounts: go through the applications, decide, set the credit'() {
        const names = ['first', 'second', 'third'].map((which) => `${word} ${which}`);
        for (const name of names) await applyForTrade(started.stack, `${name.replace(' ', '-')}@tea.example`, name);
        const { data } = await api.tradeAccounts.listTradeAccounts({
          query: { status: 'pending-approval', limit: 100 },
        });
        const [first = '', second = '', third = ''] = data
          .map(({ trade }) => trade.businessName)
          .filter((name) => names.includes(name));
        await open('Trade accounts');
        await searchOrFilter('Status', 'Waiting for approval');
        await keys.on(link(first));
        await heading(first);
        if (!keys.haveMouse) {
          await keys.press('j');
          await heading(second);
          await keys.press('k');
          await heading(first);
        }
        await keys.on(button('Next application (j)'));
        await heading(second);
        await act('Ask for more', (within) => keys.write(field('Reason', within), 'Which company?'));
        await shows('Asked for more');
        await open('Trade accounts');
        await searchOrFilter('Status', 'Waiting for approval');
        await keys.on(link(first));
        await heading(first);
        await act('Refuse', (within) => keys.write(field('Reason', within), 'It has none.'));
        await shows('Rejected');
        await open('Trade accounts');
        await searchOrFilter('Status', 'Waiting for approval');
        await keys.on(link(third));
        await heading(third);
        await act('Approve');
        await page.locator('#main header').getByText('Approved', { exact: true }).waitFor();
        // Billing opens the account once it has heard of the approval.
        const { id = '' } = data.find(({ trade }) => trade.businessName === third) ?? {};
        await eventually(() => api.invoicesOfAccounts.getCredit({ params: { id } }), 'the account to have credit');
        await open('Trade accounts');
        await keys.on(link(third));
        await act(
          'Change',
          async (within) => {
            await keys.write(field('Limit', within), '750');
            await keys.write(field('Days to pay', within), '21');
          },
          'Save',
        );
        await shows('€750.00');
        await shows('21 days');
      },

      async 'catalog: search, change price, stock and status in the list, make a product'() {
        const { id } = await api.products.createProduct({ body: product('cells') });
        await open('Catalog');
        await searchFor(`${word} cells`);
        await keys.on(button(`Price: ${word} cells: 1.00`), 'Enter', '3', 'Enter');
        await button(`Price: ${word} cells: 3.00`).waitFor();
        await keys.on(button(`Stock: ${word} cells: 4`), 'Enter', '9', 'Enter');
        await button(`Stock: ${word} cells: 9`).waitFor();
        await keys.on(button(`Status: ${word} cells: Draft`), 'Enter', 'ArrowDown', 'Enter');
        await button(`Status: ${word} cells: Active`).waitFor();
        expect(await api.products.getProduct({ params: { id } })).toMatchObject({
          price: { amount: 300 },
          stock: 9,
          status: 'active',
        });
        await act('New product', async (within) => {
          await keys.write(field('Name', within), `${word} new`);
          await keys.write(field('SKU', within), `${word}-NEW`);
          await keys.write(field('Price', within), '2.50');
        });
        await searchFor(`${word} new`);
        await keys.on(link(`${word} new`));
        await heading(`${word} new`);
      },

      async 'product: save, variants, stock, pictures, and what a removal asks'() {
        const images = ['a', 'b'].map((name) => ({ url: `https://pictures.example/${word}/${name}.png`, alt: name }));
        const { id } = await api.products.createProduct({ body: { ...product('whole'), images } });
        const read = () => api.products.getProduct({ params: { id } });
        await openById(id, `${word} whole`);
        await keys.write(field('Name'), `${word} changed`);
        await keys.choose(field('Status'), 'Archived');
        await keys.on(button('Save'));
        await heading(`${word} changed`);
        await act(
          'Options',
          async (within) => {
            await keys.write(field('Name 1', within), 'Size');
            await keys.write(field('Values 1', within), 'S, M');
          },
          'Save',
        );
        await act('Add a variant', (within) => keys.choose(field('Size', within), 'M'));
        await act('Change stock', (within) => keys.write(field('Difference', within), '5'), 'Save');
        await keys.on(button('Further down'));
        await eventually(async () => (await read()).images[0]?.alt === 'b', 'the pictures to have changed places');
        await page.locator('#main li').first().getByText('b', { exact: true }).waitFor();
        await act(
          'Description of the picture',
          (within) => keys.write(field('Description of the picture', within), 'From the side'),
          'Save',
        );
        const choosing = page.waitForEvent('filechooser');
        await keys.on(field(/^Drop pictures here/));
        await (await choosing).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: onePixel });
        await eventually(async () => (await read()).images.length === 3, 'the picture to be there');
        await page.locator('#main li').nth(2).waitFor();
        await act('Remove the picture');
        await lookAt('Delete');
        const { name, status, variants, images: left } = await read();
        expect({ name, status, variants: variants.length, pictures: left.map(({ alt }) => alt) }).toEqual({
          name: `${word} changed`,
          status: 'archived',
          variants: 2,
          pictures: ['a', `${word} changed`],
        });
      },

      async 'categories: make, move, change, delete after a dry run'() {
        await open('Catalog');
        await keys.on(link('Categories'));
        await heading('Categories');
        for (const name of [`${word} one`, `${word} two`])
          await act('New category', (within) => keys.write(field('Name', within), name));
        const placeOf = async (name: string) => (await page.locator('#main li strong').allInnerTexts()).indexOf(name);
        const name = `${word} two`;
        await link(name).waitFor();
        const before = await placeOf(name);
        await keys.on(button(`Further up: ${name}`));
        await eventually(async () => (await placeOf(name)) < before, 'it to be further up');
        await keys.on(button(`Further down: ${name}`));
        await eventually(async () => (await placeOf(name)) === before, 'it to be where it was');
        expect(await button(`Further down: ${name}`).evaluate((one) => one === document.activeElement)).toBe(true);
        const row = page.locator('li').filter({ hasText: `${word} two` });
        await keys.on(button('Change', row));
        await keys.choose(field('Within', dialog('Change')), `${word} one`);
        await keys.on(button('Save', dialog('Change')));
        await keys.gone(dialog('Change'));
        await keys.on(button('Delete', row.last()));
        await keys.choose(field('What is in it', dialog('Delete')), 'Goes with it');
        await dialog('Delete')
          .getByText(/^Deletes 1 categories/)
          .waitFor();
        await keys.on(button('Delete', dialog('Delete')));
        await keys.gone(dialog('Delete'));
        await link(`${word} two`).waitFor({ state: 'detached' });
      },

      async 'import: a file, its dry run, then for real'() {
        await open('Catalog');
        await keys.on(page.getByRole('navigation', { name: 'Catalog' }).getByRole('link', { name: 'Import' }));
        await heading('Import');
        const choosing = page.waitForEvent('filechooser');
        await keys.on(field(/^Drop a CSV/));
        const csv = `sku,name,price\n${word}-1,${word} imported,12.50\n${word}-2,,9.00\n`;
        await (await choosing).setFiles({ name: 'tea.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
        await shows('1 row would be refused. The others can be imported.');
        await keys.on(button('Import now'));
        await keys.gone(button('Import now'));
        const query = { q: `${word} imported` };
        await eventually(async () => (await api.products.listProducts({ query })).data.length === 1, 'the product');
      },

      async 'campaigns: make a draft, activate it, add codes, announce it, pause it in the list'() {
        await open('Campaigns');
        await keys.on(link('New campaign'));
        await heading('New campaign');
        await keys.write(field('Name'), `${word} sale`);
        await keys.write(field('Per cent off'), '15');
        await keys.choose(field('How it applies'), 'Code');
        await keys.choose(field('Taken off'), 'Certain items');
        await keys.write(field('Find: Products'), 'tea');
        await keys.on(page.getByRole('group', { name: 'Products', exact: true }).getByRole('button').first());
        await keys.to(button(/^Remove: /));
        await keys.on(button('Create the draft'));
        await heading(`${word} sale`);
        await act('Add codes', (within) => keys.write(field('Codes', within), `${word.toUpperCase()}CODE`));
        await shows(`${word.toUpperCase()}CODE`);
        await keys.on(button('Activate'));
        await keys.gone(button('Activate'));
        await act('Announce', (within) => keys.write(field('Text', within), 'Fifteen per cent.'));
        await page.getByRole('heading', { name: 'Announcements' }).waitFor();
        await open('Campaigns');
        await keys.on(page.getByRole('checkbox', { name: `Select ${word} sale` }), 'Space');
        await keys.on(button('Pause'));
        await keys.on(button('Do it for 1', dialog('Pause')));
        await keys.on(button('Done', dialog('Pause')));
        await keys.gone(dialog('Pause'));
        await keys.on(link(`${word} sale`));
        await act('End');
        await shows('Ended');
      },

      async 'invoices: open one, see what a credit note gives back, write it; void another'() {
        const [one, other] = await twoInvoices();
        await open('Invoices and payments');
        await keys.on(link(one?.number ?? ''));
        await heading(one?.number ?? '');
        await act('Credit note', async (within) => {
          await keys.write(field(/^Pieces: /, within), '1');
          await keys.write(field('Reason', within), 'A broken one');
          await within.getByText(/^About this is credited: €\d/).waitFor();
        });
        await page.getByRole('heading', { level: 2, name: /^CN-|^CRN|^INV|-\d{6}$/ }).waitFor();
        await open('Invoices and payments');
        await keys.on(link(other?.number ?? ''));
        await heading(other?.number ?? '');
        await act('Void', (within) => keys.write(field('Reason', within), 'A mistake'));
        await shows('Void');
      },

      async 'payments: give money to the account that it is of; callbacks: replay one'() {
        const paid = await payNobody();
        await open('Invoices and payments');
        await keys.on(link('Payments'));
        await heading('Payments');
        await searchOrFilter('Status', 'Unallocated');
        await openRow();
        await shows('Not allocated');
        await openById(paid, /€7\.00/);
        const { data: approved } = await api.tradeAccounts.listTradeAccounts({ query: { status: 'approved' } });
        const account = approved.find(({ email }) => email === started.stack.accounts.trade?.email);
        await keys.on(link('payment.succeeded'));
        await heading('payment.succeeded');
        await keys.on(button('Replay'));
        await eventually(async () => {
          const { data } = await api.payments.listCallbacks({ query: { payment: paid } });
          return data[0]?.replays === 1;
        }, 'the callback to be replayed');
        await openById(paid, /€7\.00/);
        await act('Allocate', (within) => keys.write(field('Trade account', within), account?.id ?? ''));
        await keys.to(link(account?.id ?? ''));
        await open('Invoices and payments');
        await keys.on(link('Callbacks'));
        await heading('Callbacks');
        await openRow();
        await button('Replay').waitFor();
      },

      async 'deliveries: open one that was not sent, and try again'() {
        const { id, asked } = await aFailedMail();
        await open('Deliveries');
        await searchOrFilter('Channel', 'EMAIL');
        await openRow();
        await shows('Attempts');
        await openById(id, /./);
        await keys.on(button('Try again'));
        const messages = page.getByRole('region', { name: 'Messages' });
        await messages.getByText('Done').waitFor();
        expect(asked).toEqual(['POST']);
        if (keys.haveMouse) return;
        await keys.press('F6');
        await keys.on(button('Close', messages));
      },

      async 'reports: choose one, change its time, see it as a table, save it'() {
        await open('Reports');
        await keys.choose(field('Report'), 'Orders');
        await heading('Orders');
        await keys.to(field('From'));
        // Days that read the same whichever part of a date comes first.
        await keys.type('10102026');
        await keys.to(field('Before'));
        await keys.type('11112026');
        await keys.choose(field('Rows for each'), 'Week');
        await page.waitForURL(/from=2026-10-10&to=2026-11-11&interval=week/);
        await keys.on(page.getByText('As a table'));
        await page.locator('details[open] caption').waitFor();
        const saving = page.waitForEvent('download');
        await keys.on(button('CSV'));
        expect((await saving).suggestedFilename()).toBe('orders-2026-10-10-2026-11-11.csv');
      },

      async 'system: state, dead letters, audit log'() {
        await open('System');
        await keys.to(page.getByRole('region', { name: 'Incidents' }).getByRole('link', { name: 'Audit log' }));
        const sent = await aDeadLetter();
        await keys.on(link('Dead letters'));
        await heading('Dead letters');
        await act('Replay');
        await act('Drop');
        expect(sent).toEqual(['replay', 'drop']);
        await page.unroute('**/v1/dead-letters*');
        await keys.on(link('Audit log'));
        await heading('Audit log');
        await searchOrFilter('Action', 'Order shipped');
        await page.locator('tbody code').filter({ hasText: 'order-shipped' }).first().waitFor();
      },

      async 'settings: a shipping option, the tax rates, what invoices state'() {
        const body = { name: `${word} van`, price: { amount: 900, currency: 'EUR' } };
        const option = await api.shippingAndTax.createShippingOption({ body });
        await open('Settings');
        const row = page.getByRole('row').filter({ hasText: `${word} van` });
        await keys.on(button('Change', row));
        await keys.write(field('Price', dialog('Change')), '8.50');
        await keys.on(field('Active', dialog('Change')), 'Space');
        await keys.on(button('Save', dialog('Change')));
        await keys.gone(dialog('Change'));
        await row.getByText('€8.50').waitFor();
        const now = await api.shippingAndTax.getShippingOption({ params: { id: option.id } });
        expect(now).toMatchObject({ price: { amount: 850 }, active: false });
        await keys.on(button('Delete', row));
        await keys.on(button('Delete', dialog('Delete')));
        await keys.gone(dialog('Delete'));
        await row.waitFor({ state: 'detached' });
        const { rates } = await api.shippingAndTax.getTaxRates();
        const [rate] = rates;
        const next = String((rate?.standard ?? 0) + 1);
        await keys.write(field(`Standard % ${rate?.country}`), next);
        await keys.on(button('Save'));
        await eventually(
          async () => String((await api.shippingAndTax.getTaxRates()).rates[0]?.standard) === next,
          'the rate to be saved',
        );
        await shows('What invoices state');
      },

      async 'sign out'() {
        await keys.on(button('Your account'));
        await keys.pick(page.getByRole('menuitem', { name: 'Sign out' }));
        await field('Email').waitFor();
        await keys.type('x');
        expect(await field('Email').inputValue()).toBe('x');
      },
    };

    beforeAll(async () => {
      if (recoveryCodes.length < codesOfView) recoveryCodes = await moreRecoveryCodes();
      const context = await started.browser.newContext({
        locale: 'en-GB',
        colorScheme,
        viewport: { width, height: 900 },
      });
      opened.defer(() => context.close());
      context.setDefaultTimeout(60_000);
      page = await context.newPage();
      // The question before what was typed is lost: Enter says yes.
      page.on('dialog', (question) => void question.accept());
      page.on('framenavigated', () => visited.add(new URL(page.url()).pathname.replace(/^\/console\/?/, '/')));
      keys = await hands[hand](page);
    });

    it.each(Object.entries(ways).filter(([name]) => hand === 'keyboard' || name !== onlyByKeys))(
      '%s',
      async (_name, way) => {
        // A page of its own for each, so that one that fails does not take the others along.
        if (page.url() !== 'about:blank') {
          await page.goto(started.console);
          await heading(/^Hello/);
        }
        await way();
        expect(keys.complaints()).toEqual([]);
      },
    );

    it('every page was among them', () => {
      expect(Object.keys(pages).filter((path) => !visited.has(path))).toEqual([]);
    });
  },
);
