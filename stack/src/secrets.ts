import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newInternalKeyPair, type InternalKeyPair } from '@storefront/access-token';

/** The secrets of one data folder. They are generated at the first start and never change. */
export interface Secrets {
  readonly internalKey: InternalKeyPair;
  /** Returns 32 bytes in base64url, different for each purpose. */
  secret(purpose: string): string;
  /**
   * Returns the first readable password that is allowed, such as `kamo-tiru-sabe-polu-vine`, different for each purpose.
   */
  password(purpose: string, isAllowed: (password: string) => boolean): string;
}

interface SecretsFile {
  readonly seed: string;
  readonly internalKey: InternalKeyPair;
}

/** Reads the secrets of the data folder. Generates them where there are none. Only the owner can read the file. */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json');
  const stored = (await read(file)) ?? (await generate(file, dataDir));
  // All secrets are derived from one seed. So a service that is added later gets its secret from older data folders,
  // too.
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(stored.seed, 'base64url'), '', purpose, length));
  return {
    internalKey: stored.internalKey,
    secret: (purpose) => derive(purpose, 32).toString('base64url'),
    password(purpose, isAllowed) {
      for (let tries = 0; ; tries += 1) {
        // Each try is longer than the one before, because a password may also have been too short.
        const bytes = derive(tries === 0 ? `password ${purpose}` : `password ${purpose} ${tries}`, 20 + 2 * tries);
        const password = pronounceable(bytes);
        if (isAllowed(password)) return password;
      }
    },
  };
}

async function read(file: string): Promise<SecretsFile | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SecretsFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function generate(file: string, dataDir: string): Promise<SecretsFile> {
  const stored = { seed: randomBytes(32).toString('base64url'), internalKey: await newInternalKeyPair() };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return stored;
}

const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';

// Each syllable uses two bytes. Ten syllables out of 70, the fewest, have 61 bits of randomness, too many to guess within
// the login limits.
function pronounceable(bytes: Buffer): string {
  const syllables = Array.from({ length: bytes.length / 2 }, (_, at) => {
    const consonant = consonants[(bytes[at * 2] ?? 0) % consonants.length];
    const vowel = vowels[(bytes[at * 2 + 1] ?? 0) % vowels.length];
    return `${consonant}${vowel}`;
  });
  return syllables.reduce((word, syllable, at) => word + (at > 0 && at % 2 === 0 ? '-' : '') + syllable, '');
}
