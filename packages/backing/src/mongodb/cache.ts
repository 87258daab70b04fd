import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { firstExecutable } from '../process/programs.ts';

/** The user's folder for programs that were fetched once and that all clones share. */
function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'storefront-commerce');
}

/** The newest `mongod` that was fetched before. */
export async function cachedMongod(cache = cacheFolder()): Promise<string | undefined> {
  const entries = await readdir(cache).catch(() => []);
  const newestFirst = entries
    .filter((entry) => entry.startsWith('mongod-'))
    .sort((a, b) => b.localeCompare(a, undefined, { numeric: true }));
  return firstExecutable(newestFirst.map((entry) => join(cache, entry, 'mongod')));
}

/**
 * Puts a `mongod` into the cache under its version. `fetch` works in a scratch folder and answers the file's path; only a
 * whole file is moved to its place, so that two processes that fetch at once don't harm each other.
 */
export async function addToCache(
  version: string,
  fetch: (scratch: string) => Promise<string>,
  cache = cacheFolder(),
): Promise<string> {
  const home = join(cache, `mongod-${version}`);
  await mkdir(home, { recursive: true });
  const scratch = await mkdtemp(join(cache, 'fetch-'));
  try {
    const fetched = await fetch(scratch);
    await chmod(fetched, 0o755);
    await rename(fetched, join(home, 'mongod'));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return join(home, 'mongod');
}
