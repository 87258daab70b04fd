import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const hooks = new URL('../scripts/strip-once.mjs', import.meta.url).href;
const kept = fileURLToPath(new URL(`../node_modules/.cache/stripped-${process.version}/`, import.meta.url));
let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-strip-once-'));
  program = join(folder, 'program.ts');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  for (const file of await keptOf()) await rm(file);
});

const output = async () => (await run(process.execPath, ['--import', hooks, program])).stdout;

/** The kept files of the program, which has the name of its folder in it. */
async function keptOf(): Promise<string[]> {
  const files = (await readdir(kept)).map((name) => join(kept, name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return files.filter((_file, place) => texts[place]?.includes(folder));
}

it('the types of a module are removed once for each change, and its errors name the line of the source', async () => {
  const write = (word: string) =>
    writeFile(
      program,
      `interface Said {\n  word: string;\n}\nconst said: Said = { word: '${word}' };\n` +
        `console.log('${folder}', said.word, import.meta.url, new Error().stack?.includes('program.ts:5:'));\n`,
    );
  const said = (word: string) => `${folder} ${word} ${pathToFileURL(program).href} true\n`;
  await write('first');
  expect(await output()).toBe(said('first'));
  const [file = '', ...others] = await keptOf();
  expect(others).toEqual([]);
  // What is kept is what runs.
  await writeFile(file, (await readFile(file, 'utf8')).replace('first', 'kept'));
  expect(await output()).toBe(said('kept'));
  await write('second');
  expect(await output()).toBe(said('second'));
  expect(await keptOf()).toEqual([file]);
});
