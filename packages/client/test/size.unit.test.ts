import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundled, from } from './bundled.ts';

const exported = (...files: readonly string[]) => files.map((file) => `export * from ${from(file)};`).join('');
const console = `export { createAdminClient } from ${from('admin')}; export { consoleSession } from ${from('session')};`;
const page = `export { createClient } from ${from('index')}; export { localStorageSession } from ${from('session')};`;
const area = `import { clientOf, orders } from ${from('areas')}; export const shop = clientOf({ orders }, { baseUrl: '' });`;

it.each([
  ['all of it', exported('index', 'areas', 'admin', 'session', 'stream', 'money', 'query'), 8],
  ['all that a shop can use', exported('index', 'session', 'stream', 'money', 'query'), 7],
  ['what a console uses', console + exported('stream', 'money', 'query'), 7.5],
  ['what a page of a shop uses', page, 6],
  ['one area', area, 4],
])('%s is at most as large as promised', async (what, code, kilobytes) => {
  const bundle = await bundled(code);
  expect(gzipSync(bundle).length, what).toBeLessThanOrEqual(kilobytes * 1024);
});

it('a shop does not get the operations of its staff, and one area no other', async () => {
  expect(await bundled(page)).not.toContain('listStaff');
  expect(await bundled(`export { orders } from ${from('areas')};`)).not.toContain('createCart');
});
