import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const from = (file: string) => JSON.stringify(fileURLToPath(new URL(`../src/${file}.ts`, import.meta.url)));

/** The code that a page gets of this module: bundled, without what nothing uses, and minified. */
async function bundled(code: string): Promise<string> {
  const entry = '\0entry';
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? { code, moduleType: 'ts' } : null),
      },
    ],
  });
  const { output } = await bundle.generate({ minify: true });
  return output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('');
}

const exported = (...files: readonly string[]) => files.map((file) => `export * from ${from(file)};`).join('');
const console = `export { createAdminClient } from ${from('admin')}; export { consoleSession } from ${from('session')};`;
const page = `export { createClient } from ${from('index')}; export { localStorageSession } from ${from('session')};`;
const area = `import { clientOf, orders } from ${from('areas')}; export const shop = clientOf({ orders }, { baseUrl: '' });`;

it.each([
  ['all that a shop can use', exported('index', 'session', 'stream', 'money', 'query'), 8],
  ['what a console uses', console + exported('stream', 'money', 'query'), 8],
  ['what a page of a shop uses', page, 6],
  ['one area', area, 4],
])('%s is at most as large as promised', async (what, code, kilobytes) => {
  const bundle = await bundled(code);
  expect(gzipSync(bundle).length, what).toBeLessThanOrEqual(kilobytes * 1024);
});

it('a shop does not get the operations of its staff, and one area no other', async () => {
  expect(await bundled(page)).not.toContain('/v1/staff');
  expect(await bundled(`export { orders } from ${from('areas')};`)).not.toContain('/v1/carts');
});
