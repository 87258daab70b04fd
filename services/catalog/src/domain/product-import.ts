import { audited, changed, operator, unchanged, type Decision, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** How many rows of an import had which result. */
const importCounts = z.object({ created: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() });
export type ImportCounts = StateOf<typeof importCounts>;

/** An import of products, as the audit log has it. */
export const importState = z.object({
  id: z.string(),
  ...importCounts.shape,
  startedAt: z.date(),
  /** When rows were stored last. */
  activeAt: z.date(),
  /** Null while it is under way. */
  finishedAt: z.date().nullable(),
});
export type ProductImport = StateOf<typeof importState>;

/**
 * Why an import did not reach the end of its file: it was asked to stop; it failed, as without a database; or it stored nothing for a
 * while, as after a kill.
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
    throw new Error('The import has stored nothing for so long that it counts as ended.');
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

/** Ends an import once. Rows are stored and counted in one transaction, so the counts are exact whatever has happened. */
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

/** An import that has stored nothing since this time counts as interrupted. */
export function silentSince(now: Date): Date {
  return new Date(now.getTime() - silentAfterMs);
}
