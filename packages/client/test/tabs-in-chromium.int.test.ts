import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, openPage } from '../../../services/identity/test/chromium.ts';
import { bundled, from } from './bundled.ts';

type Page = Awaited<ReturnType<typeof openPage>>['page'];

// Locks, channels and storage events of a real browser, under a strict policy. `sessions.unit.test.ts` has made-up ones.

const script = `
  import { createClient } from ${from('index')};
  import { localStorageSession } from ${from('session')};
  import { followOverTabs } from ${from('stream')};
  const session = localStorageSession();
  const shop = createClient({ baseUrl: '', session });
  const seen = [];
  const logins = [];
  session.subscribe((tokens) => logins.push(tokens !== undefined));
  Object.assign(globalThis, { shop, session, seen, logins });
  globalThis.listen = () => void followOverTabs(shop.notifications.streamNotifications, ({ id }) => seen.push(id));
`;

/**
 * A small API of one session, which answers the former refresh token with the same pair again, as the real one does for a
 * moment, and a stream that sends an event when it is opened.
 */
async function startApi(script: string) {
  const counts = { refreshes: 0, refreshing: 0, mostAtOnce: 0, refused: 0, streams: 0, open: 0, violations: 0 };
  let number = 0;
  const pair = () => ({ accessToken: `access-${number}`, refreshToken: `refresh-${number}`, expiresIn: 900 });
  const json = (response: ServerResponse, body: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  const answers: Record<string, (response: ServerResponse, body: string) => unknown> = {
    '/': (response) =>
      response
        .setHeader('content-type', 'text/html')
        .setHeader(
          'content-security-policy',
          "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; report-uri /violations",
        )
        .end('<!doctype html><title>A shop</title><script type="module" src="/page.js"></script>'),
    '/page.js': (response) => response.setHeader('content-type', 'text/javascript').end(script),
    '/violations': (response) => {
      counts.violations += 1;
      response.end();
    },
    '/v1/auth/login': (response) => json(response, pair()),
    '/v1/auth/logout': (response) => json(response, { revoked: true }),
    '/v1/users/me': (response) => json(response, { id: 'user_1' }),
    '/v1/auth/refresh': (response, body) => {
      const { refreshToken } = JSON.parse(body) as { refreshToken: string };
      counts.refreshes += 1;
      counts.refreshing += 1;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.refreshing);
      if (refreshToken === `refresh-${number}`) number += 1;
      else if (refreshToken !== `refresh-${number - 1}`) counts.refused += 1;
      // Long enough for the other pages to ask for it too.
      setTimeout(() => {
        counts.refreshing -= 1;
        json(response, pair());
      }, 200);
    },
    '/v1/notifications/stream': (response) => {
      counts.streams += 1;
      counts.open += 1;
      response.on('close', () => (counts.open -= 1));
      response
        .setHeader('content-type', 'text/event-stream')
        .write(`id: e${counts.streams}\nevent: unread-count\ndata: {}\n\n`);
    },
  };
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = answers[request.url ?? ''];
      if (answer) answer(response, body);
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, counts, close };
}

const chromium = findChromium();

describe.skipIf(chromium === null)('pages of one browser (needs a Chromium: CHROMIUM_PATH, or one on the path)', () => {
  const opened = new AsyncDisposableStack();
  let api: Awaited<ReturnType<typeof startApi>>;
  let first: Page;
  let others: Page[];

  beforeAll(async () => {
    api = await startApi(await bundled(script));
    opened.defer(() => api.close());
    const browser = await openPage(chromium ?? '', api.url);
    opened.defer(() => browser.close());
    const context = await browser.page.context().browser()?.newContext();
    const pages = await Promise.all([0, 1, 2].map(async () => (await context?.newPage()) as Page));
    await Promise.all(pages.map((one) => one.goto(api.url)));
    await Promise.all(pages.map((one) => one.waitForFunction("'shop' in globalThis")));
    [first, ...others] = pages as [Page, ...Page[]];
  });
  afterAll(() => opened.disposeAsync());

  it('refresh their session one after the other, and all of them hear of a login and a logout', async () => {
    await first.evaluate("shop.auth.logIn({ body: { email: 'a', password: 'b' } })");
    await first.evaluate('session.write({ ...session.read(), expiresAt: 0 })');
    for (const other of others)
      await eventually(() => other.evaluate('session.read()?.expiresAt === 0'), 'the other page to hear of the tokens');
    await Promise.all([first, ...others].map((one) => one.evaluate('shop.users.getMe()')));
    // How often is up to the browser: a page may get the lock a moment before it sees what another one has stored.
    expect(api.counts).toMatchObject({ mostAtOnce: 1, refused: 0, violations: 0 });
    await first.evaluate('shop.auth.logOut()');
    for (const other of others)
      await eventually(async () => (await other.evaluate('logins.at(-1)')) === false, 'the other page to hear of it');
  });

  it('share one stream, which another page takes over when the one that has it is closed', async () => {
    for (const one of [first, ...others]) await one.evaluate('listen()');
    const hasSeen = (one: Page, id: string) => one.evaluate(`seen.includes('${id}')`);
    await eventually(() => hasSeen(first, 'e1'), 'the event in the page that has the stream');
    expect(api.counts).toMatchObject({ streams: 1, open: 1 });
    await first.close();
    for (const other of others)
      await eventually(() => hasSeen(other, 'e2'), 'the next stream in the pages that are left');
    await eventually(() => api.counts.open === 1, 'the stream of the closed page to end');
    expect(api.counts).toMatchObject({ streams: 2, violations: 0 });
  });
});
