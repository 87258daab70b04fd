import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newInternalKeyPair } from '@storefront/access-token';
import type { InternalKeyPair } from '@storefront/access-token';

/** The secrets of one data folder: made at its first start, the same at every later one. */
export interface Secrets {
  readonly internalKey: InternalKeyPair;
  /** 32 bytes in base64url, another for each purpose and always the same for one. */
  secret(purpose: string): string;
  /** A password that can be read aloud and pasted, such as `kamo-tiru-sabe-polu-vine`. */
  password(purpose: string): string;
}

interface Kept {
  readonly seed: string;
  readonly internalKey: InternalKeyPair;
}

/** Reads the secrets of the data folder, or makes them, readable for their owner alone. */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json');
  const kept = (await read(file)) ?? (await make(file, dataDir));
  // Everything comes out of one seed, so that a service added later finds its secret in an older folder too.
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(kept.seed, 'base64url'), '', purpose, length));
  return {
    internalKey: kept.internalKey,
    secret: (purpose) => derive(purpose, 32).toString('base64url'),
    password: (purpose) => pronounceable(derive(`password ${purpose}`, 20)),
  };
}

async function read(file: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function make(file: string, dataDir: string): Promise<Kept> {
  const kept = { seed: randomBytes(32).toString('base64url'), internalKey: await newInternalKeyPair() };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return kept;
}

const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';

// Two bytes a syllable: ten syllables of 70 are 61 bits, more than any lockout lets anybody try.
function pronounceable(bytes: Buffer): string {
  const syllables = Array.from({ length: bytes.length / 2 }, (_, at) => {
    const consonant = consonants[(bytes[at * 2] ?? 0) % consonants.length];
    const vowel = vowels[(bytes[at * 2 + 1] ?? 0) % vowels.length];
    return `${consonant}${vowel}`;
  });
  return syllables.reduce((word, syllable, at) => word + (at > 0 && at % 2 === 0 ? '-' : '') + syllable, '');
}
