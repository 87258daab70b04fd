import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const program = `
  import { createRequire } from 'node:module';
  const { cache } = createRequire(import.meta.url);
  // A part of the library that reads fonts: only parts that are CommonJS are in this cache.
  const isLoaded = () => Object.keys(cache).some((file) => file.includes('/node_modules/unicode-trie/'));
  const { invoicePdf } = await import(${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)});
  const before = isLoaded();
  await invoicePdf({}).catch(() => undefined);
  process.stdout.write(JSON.stringify({ before, after: isLoaded() }));
`;

it('what draws a PDF is loaded by the first one', async () => {
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const { stdout } = await run(process.execPath, [...flags, '--eval', program], { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toEqual({ before: false, after: true });
});
