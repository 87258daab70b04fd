import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'console');
// What the built console is made of. The contracts say what its menu and filters are.
const sources = [
  'console/*.{ts,html,json}',
  'console/{src,public}/**/*',
  'packages/{client,contracts}/src/**/*',
  'pnpm-lock.yaml',
];

/**
 * Returns the folder with the built console. It is built once for each state of its sources, which takes some seconds, and
 * kept in the cache of `node_modules`. Null where it could not be built; `say` is then told why.
 */
export async function buildConsole(say: (line: string) => void): Promise<string | null> {
  const folder = join(cache, await hashOfSources());
  if (existsSync(folder)) return folder;
  say('Building the console (once for each version of it) …');
  await mkdir(cache, { recursive: true });
  const unfinished = `${folder}-${process.pid}`;
  const wrong = await build(unfinished);
  if (wrong !== null) {
    await rm(unfinished, { recursive: true, force: true });
    say(`The console could not be built, so /console is not there:\n${wrong}`);
    return null;
  }
  // Another start may have built the same meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }));
  return folder;
}

async function hashOfSources(): Promise<string> {
  const names = new Set<string>();
  for (const pattern of sources)
    for await (const entry of glob(pattern, { cwd: root, withFileTypes: true }))
      if (entry.isFile() && !entry.name.includes('.test.')) names.add(join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const name of [...names].sort()) hash.update(`${name.slice(root.length)}\0`).update(await readFile(name));
  return hash.digest('hex').slice(0, 16);
}

/** Builds in a process of its own, so that the memory of the bundler is not kept. Returns what went wrong, or null. */
function build(folder: string): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const args = ['--conditions=source', '--disable-warning=ExperimentalWarning', join(root, 'console/build.ts'), folder];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (output += text));
  child.once('error', (error) => resolve(error.message));
  child.once('close', (code) => resolve(code === 0 ? null : output.slice(-2000)));
  return promise;
}
