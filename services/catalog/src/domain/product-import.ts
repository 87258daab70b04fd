import { audited, changed, operator, unchanged, type Decision } from '@storefront/contracts';

/** How many rows of an import came to what. */
export interface ImportCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** An import of products, as the audit log is told of it. */
export interface ProductImport extends ImportCounts {
  readonly id: string;
  readonly startedAt: Date;
  /** When rows were stored last. */
  readonly activeAt: Date;
  /** Null while it is under way. */
  readonly finishedAt: Date | null;
}

/**
 * Why an import did not come to the end of its file: it was asked to stop; it failed, as without a database; or nothing was heard of it
 * for a while, as after a kill.
 */
export type Interruption = 'stopped' | 'failed' | 'silent';

const silentAfterMs = 15 * 60 * 1000;

const objectOf = (id: string) => ({ type: 'import', id });

export function beginImport(id: string, now: Date): Decision<ProductImport, ProductImport> {
  const fact = audited('catalog', operator, 'import-begun', { object: objectOf(id) });
  const none = { created: 0, changed: 0, unchanged: 0, refused: 0 };
  return changed({ id, startedAt: now, activeAt: now, finishedAt: null, ...none }, [fact]);
}

/** Counts rows in the same transaction that stores them. Throws where the import has an end already. */
export function countRows(
  current: ProductImport | null,
  stored: Omit<ImportCounts, 'refused'>,
  refused: number,
  now: Date,
): Decision<ProductImport, ProductImport> {
  if (current === null || current.finishedAt !== null)
    throw new Error('Nothing was heard of the import for so long that it counts as ended.');
  return changed(
    {
      ...current,
      created: current.created + stored.created,
      changed: current.changed + stored.changed,
      unchanged: current.unchanged + stored.unchanged,
      refused,
      activeAt: now,
    },
    [],
  );
}

/** Ends an import once. What it has stored was counted with it, so the counts are exact whatever has happened. */
export function endImport(
  current: ProductImport | null,
  { refused, interrupted, now }: { refused?: number; interrupted: Interruption | null; now: Date },
): Decision<ProductImport, ProductImport | null> {
  if (current === null || current.finishedAt !== null) return unchanged(current);
  const ended = { ...current, refused: refused ?? current.refused, finishedAt: now };
  const counts = {
    created: ended.created,
    changed: ended.changed,
    unchanged: ended.unchanged,
    refused: ended.refused,
  };
  const details = interrupted === null ? counts : { ...counts, interrupted };
  return changed(ended, [audited('catalog', operator, 'import-finished', { object: objectOf(ended.id), details })]);
}

/** Since when nothing was heard of an import that counts as interrupted. */
export function silentSince(now: Date): Date {
  return new Date(now.getTime() - silentAfterMs);
}
