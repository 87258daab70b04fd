import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { firstExecutable } from '../process/programs.ts';

/** Returns the user's folder for downloaded programs. All clones of the project share it. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'storefront-commerce');
}

/** Returns the path of the newest downloaded `mongod`; undefined if there is none. */
export async function cachedMongod(): Promise<string | undefined> {
  const cache = cacheFolder();
  const entries = await readdir(cache).catch(() => []);
  const newestFirst = entries
    .filter((entry) => entry.startsWith('mongod-'))
    .sort((a, b) => b.localeCompare(a, undefined, { numeric: true }));
  return firstExecutable(newestFirst.map((entry) => join(cache, entry, 'mongod')));
}

/**
 * Adds a `mongod` to the cache and returns its path. `download` may use the temporary folder and returns the path of
 * the downloaded file. Only the complete file is moved to its place, so processes that download at the same time don't
 * harm each other.
 */
export async function addToCache(
  version: string,
  download: (temporaryFolder: string) => Promise<string>,
): Promise<string> {
  const cache = cacheFolder();
  const home = join(cache, `mongod-${version}`);
  await mkdir(home, { recursive: true });
  const temporaryFolder = await mkdtemp(join(cache, 'fetch-'));
  try {
    const downloaded = await download(temporaryFolder);
    await chmod(downloaded, 0o755);
    await rename(downloaded, join(home, 'mongod'));
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
  return join(home, 'mongod');
}
