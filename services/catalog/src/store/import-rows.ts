import type { PageOf, Slice } from '@storefront/contracts';
import { collectionOf, defineCollection, readPage, type Database, type Transaction } from '@storefront/mongo';
import { z } from 'zod';
import { keptRow, type KeptKind, type KeptRow } from '../domain/sheets/kept-rows.ts';

/** How long imports and their rows are kept. */
export const importKeptSeconds = 30 * 24 * 60 * 60;

/** Rows of imports. The `_id` is that of the import and the number of the row's last line. */
export const importRows = defineCollection(
  'import_rows',
  { ...keptRow.shape, startedAt: z.date() },
  {
    sharding: { unsharded: 'at most 4,000 of an import, deleted after 30 days' },
    indexes: {
      expiry: { keys: { startedAt: 1 }, expireAfterSeconds: importKeptSeconds },
      by_kind: { keys: { importId: 1, kinds: 1, _id: 1 } },
    },
  },
);

/** The rows of imports that can be read after them. */
export interface ImportRows {
  add(rows: readonly (KeptRow & { readonly end: number })[], startedAt: Date, transaction: Transaction): Promise<void>;
  /** In the order of the file. */
  page(importId: string, kind: KeptKind, slice: Slice): Promise<PageOf<KeptRow>>;
}

export function openImportRows(database: Database): ImportRows {
  const collection = collectionOf(database, importRows);
  return {
    async add(rows, startedAt, { session }) {
      if (rows.length === 0) return;
      const documents = rows.map(({ end, ...row }) => ({
        ...row,
        _id: `${row.importId}/${String(end).padStart(9, '0')}`,
        startedAt,
      }));
      await collection.insertMany(documents as never, { session });
    },
    page: (importId, kinds, slice) =>
      readPage(
        collection,
        { filter: { importId, kinds }, order: { _id: 1 }, slice, hint: 'by_kind' },
        ({ _id, startedAt: _startedAt, ...row }) => row as unknown as KeptRow,
      ),
  };
}
