import { reasonOf } from '../error.ts';
import { addToCache } from './cache.ts';

const version = '8.2.6';
const answerWithinMs = 5_000;

/**
 * Downloads MongoDB's own build for this system and returns its path. Throws within seconds if MongoDB's site can't be
 * reached.
 */
export async function downloadFromVendor(say: (line: string) => void): Promise<string> {
  const { MongoBinary } = await import('mongodb-memory-server-core');
  const { MongoBinaryDownloadUrl } = await import('mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js');
  const { getOS } = await import('mongodb-memory-server-core/lib/util/getos/index.js');
  const { platform, arch } = process;
  const os = await getOS();
  const address = await new MongoBinaryDownloadUrl({ version, platform, arch, os }).getDownloadUrl();
  const answer = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(answerWithinMs) }).catch(
    (error: unknown) => {
      throw new Error(`${new URL(address).host} does not answer (${reasonOf(causeOf(error))})`);
    },
  );
  if (!answer.ok) throw new Error(`${new URL(address).host} answers ${answer.status} for MongoDB ${version}`);
  say(`Fetching MongoDB ${version} from its vendor (once) …`);
  return await addToCache(version, (temporaryFolder) =>
    MongoBinary.getPath({ version, platform, arch, os, downloadDir: temporaryFolder }),
  );
}

/** Returns the cause of an error of `fetch`, because the error itself says only "fetch failed" or "aborted". */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
