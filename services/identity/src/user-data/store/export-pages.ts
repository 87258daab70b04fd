import { collectionOf, defineCollection, isDuplicate, type Database, type DocumentOf } from '@storefront/mongo';
import { z } from 'zod';

/** Pages of exports: parts of services that are too large for the document of the export. */
export const exportPages = defineCollection(
  'export_pages',
  {
    userId: z.string(),
    exportId: z.string(),
    /** Identifies the reading of the service's data to which the page belongs. */
    collection: z.string(),
    page: z.int(),
    /** The number of pages, in the last page; null in the others. */
    pages: z.int().nullable(),
    /** JSON as text, since a field's name may have any characters. */
    json: z.string(),
    expiresAt: z.date(),
  },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['exportId'], because: 'the pages of an export are read once, all of them' },
        { by: ['userId'], because: 'an erasure deletes all of the user' },
      ],
    },
    indexes: {
      by_export: { keys: { exportId: 1, collection: 1, page: 1, pages: 1 } },
      by_user: { keys: { userId: 1 } },
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
    },
  },
);

/** One page of a service's part of an export. */
interface NewExportPage extends Pick<DocumentOf<typeof exportPages>, 'userId' | 'exportId' | 'collection' | 'page'> {
  /** The number of pages, in the last page. */
  readonly pages: number | undefined;
  readonly data: object;
}

export interface ExportPages {
  /**
   * Stores a page unless it is stored already. It is kept an hour longer than the export, which is kept until
   * `expiresAt`.
   */
  add(page: NewExportPage, expiresAt: Date): Promise<void>;
  /** The number of pages of the reading. Null until all pages are stored. */
  complete(exportId: string, collection: string): Promise<number | null>;
  /** Reads one page. Throws where the page is not stored. */
  read(exportId: string, collection: string, page: number): Promise<Readonly<Record<string, unknown>>>;
  keepUntil(exportId: string, expiresAt: Date): Promise<void>;
  /** Removes the pages of a reading. */
  remove(exportId: string, collection: string): Promise<void>;
  erase(userId: string): Promise<void>;
}

// Pages are kept longer than their export, so that an export that is read in its last minute is complete.
const longerMs = 60 * 60 * 1000;

export function openExportPages(database: Database): ExportPages {
  const stored = collectionOf(database, exportPages);
  const idOf = (exportId: string, collection: string, page: number) => `${exportId}/${collection}/${page}`;
  const later = (expiresAt: Date) => new Date(expiresAt.getTime() + longerMs);
  return {
    async add({ userId, exportId, collection, page, pages, data }, expiresAt) {
      try {
        await stored.insertOne({
          _id: idOf(exportId, collection, page),
          userId,
          exportId,
          collection,
          page,
          pages: pages ?? null,
          json: JSON.stringify(data),
          expiresAt: later(expiresAt),
        });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    },
    async complete(exportId, collection) {
      const found = await stored
        .find({ exportId, collection }, { hint: 'by_export', projection: { _id: 0, page: 1, pages: 1 } })
        .toArray();
      const pages = found.find((each) => each.pages !== null)?.pages ?? null;
      return found.length === pages ? pages : null;
    },
    async read(exportId, collection, page) {
      const found = await stored.findOne({ _id: idOf(exportId, collection, page) }, { projection: { json: 1 } });
      if (!found) throw new Error(`page ${page} of ${exportId} is missing`);
      return JSON.parse(found.json) as Record<string, unknown>;
    },
    async keepUntil(exportId, expiresAt) {
      await stored.updateMany({ exportId }, { $set: { expiresAt: later(expiresAt) } }, { hint: 'by_export' });
    },
    async remove(exportId, collection) {
      await stored.deleteMany({ exportId, collection }, { hint: 'by_export' });
    },
    async erase(userId) {
      await stored.deleteMany({ userId });
    },
  };
}
