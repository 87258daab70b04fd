import { reasonOf } from '../error.ts';
import { addToCache } from './cache.ts';

const version = '8.2.6';
const answerWithinMs = 5_000;

/** The vendor's own build for this system, from the vendor's site. Throws, within seconds where the site is out of reach. */
export async function downloadFromVendor(say: (line: string) => void): Promise<string> {
  const { MongoBinary } = await import('mongodb-memory-server-core');
  const { MongoBinaryDownloadUrl } = await import('mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js');
  const { getOS } = await import('mongodb-memory-server-core/lib/util/getos/index.js');
  const { platform, arch } = process;
  const os = await getOS();
  const address = await new MongoBinaryDownloadUrl({ version, platform, arch, os }).getDownloadUrl();
  const answer = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(answerWithinMs) }).catch(
    (error: unknown) => {
      throw new Error(`${new URL(address).host} does not answer (${reasonOf(reasonBehind(error))})`);
    },
  );
  if (!answer.ok) throw new Error(`${new URL(address).host} answers ${answer.status} for MongoDB ${version}`);
  say(`Fetching MongoDB ${version} from its vendor (once) …`);
  return await addToCache(version, (scratch) =>
    MongoBinary.getPath({ version, platform, arch, os, downloadDir: scratch }),
  );
}

/** fetch says only "fetch failed" or "aborted"; what is wrong stands in the cause. */
function reasonBehind(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
