import { byId, collectionOf, defineCollection, type Database } from '@storefront/mongo';
import { z } from 'zod';

/** The files of uploaded pictures. A file never changes. */
export interface PictureFiles {
  /** Stores a file. Repeated with the same bytes, it changes nothing. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Returns null where there is no such file. */
  read(name: string): Promise<Buffer | null>;
  /** Deletes files. Those that are not there are left out. */
  remove(names: readonly string[]): Promise<void>;
}

/** A document for each file: the largest of them are far below the 16 MB that a document may have. */
export const pictureFiles = defineCollection('picture_files', { bytes: z.custom<Uint8Array>() }, { sharding: byId });

/** Keeps the files in the catalog's database. */
export function openPictureFiles(database: Database): PictureFiles {
  const collection = collectionOf(database, pictureFiles);
  return {
    async put(name, bytes) {
      await collection.updateOne({ _id: name }, { $set: { bytes } }, { upsert: true });
    },
    async read(name) {
      const found = await collection.findOne({ _id: name }, { promoteBuffers: true });
      return found && Buffer.from(found.bytes.buffer, found.bytes.byteOffset, found.bytes.byteLength);
    },
    async remove(names) {
      await collection.deleteMany({ _id: { $in: [...names] } });
    },
  };
}

/** Keeps files in `files`, and reads and deletes those that are still in `former`. */
export function afterFormer(files: PictureFiles, former: PictureFiles): PictureFiles {
  return {
    put: (name, bytes) => files.put(name, bytes),
    read: async (name) => (await files.read(name)) ?? former.read(name),
    async remove(names) {
      await files.remove(names);
      await former.remove(names);
    },
  };
}
