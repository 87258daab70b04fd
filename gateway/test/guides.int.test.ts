import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  identity = await startFakeIdentity();
  gateway = await startGateway(identity, createFakeBus());
});
afterAll(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});

const read = async (path: string) => {
  const response = await fetch(gateway.url + path);
  return { status: response.status, headers: response.headers, page: await response.text() };
};
const linksIn = (page: string) => [...page.matchAll(/href="(\/docs\/guides\/[^"]+)"/g)].map(([, href]) => href ?? '');

it('every guide opens from the list of guides, and each link within them leads somewhere', async () => {
  const { page, headers } = await read('/docs/guides');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
  const guides = [...new Set(linksIn(page))];
  expect(guides.length).toBeGreaterThan(9);
  for (const guide of guides) {
    const opened = await read(guide);
    expect([guide, opened.status]).toEqual([guide, 200]);
    for (const link of linksIn(opened.page))
      expect([guide, link, (await read(link)).status]).toEqual([guide, link, 200]);
  }
});

it('a search finds sections by all of its words, the heading first, and shows no markup of its query', async () => {
  const { page } = await read('/docs/guides?q=CART%20order');
  expect(linksIn(page.split('<main')[1] ?? '')).toContain('/docs/guides/errors#cart_frozen');
  const [first] = linksIn((await read('/docs/guides?q=cart_frozen')).page.split('<main')[1] ?? '');
  expect(first).toBe('/docs/guides/errors#cart_frozen');
  const harmless = await read(`/docs/guides?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(harmless.page).not.toContain('<script');
  expect(harmless.page).toContain('Nothing was found.');
  expect((await read('/docs/guides?q=%20')).page).toContain('<h1>Guides</h1>');
  expect((await read('/docs/guides?q=a&q=b')).status).toBe(200);
});

it('a guide that does not exist is 404 with the list of guides', async () => {
  const { status, page } = await read('/docs/guides/nothing');
  expect(status).toBe(404);
  expect(linksIn(page)).toContain('/docs/guides/errors');
});
