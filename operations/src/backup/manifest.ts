import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceNames } from '@storefront/contracts';
import { ConfigError } from '@storefront/process';
import { z } from 'zod';

const count = z.int().min(0);

/** Describes a file of BSON documents, one after the other, compressed with zstd. */
const storedFile = z.strictObject({
  file: z.string().regex(/^[\w.-]+$/),
  documents: count,
  /** The size of the compressed file. */
  bytes: count,
  /** The hash of the compressed file, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const storedCollection = storedFile.extend({
  name: z.string().min(1),
  /** The options and the indexes of the collection in MongoDB, as canonical Extended JSON. */
  options: z.string(),
  indexes: z.string(),
});

/**
 * Describes the content of a backup. The manifest is written last, so a folder without a manifest is no complete
 * backup.
 */
const manifestSchema = z.strictObject({
  format: z.literal(1),
  /**
   * `startedAt` is when the backup began. `clusterTime` is the moment of MongoDB's own clock at which all collections
   * were read.
   */
  startedAt: z.iso.datetime(),
  clusterTime: z.strictObject({ seconds: count, increment: count }),
  databases: z.array(z.strictObject({ service: z.enum(serviceNames), collections: z.array(storedCollection) })),
  /**
   * Events that were published in the time from `since` to the moment of the backup. Services may not have handled them
   * yet.
   */
  events: storedFile.extend({ since: z.iso.datetime(), ofDeadLetters: count }),
});

export type StoredFile = z.output<typeof storedFile>;
export type StoredCollection = z.output<typeof storedCollection>;
export type Manifest = z.output<typeof manifestSchema>;

const fileName = 'manifest.json';

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = join(folder, fileName);
  await writeFile(`${file}.part`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.part`, file);
}

/** Reads the manifest. Throws a ConfigError where the folder has no complete backup of this format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, fileName), 'utf8').catch((error: unknown) => {
    throw new ConfigError(`${folder} holds no complete backup: ${(error as Error).message}`);
  });
  const parsed = manifestSchema.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new ConfigError(`${fileName} is not one of this version: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
