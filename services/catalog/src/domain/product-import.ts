import { audited, changed, operator, unchanged, type Decision, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** The number of imported rows by result. */
const importCounts = z.object({ created: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() });
export type ImportCounts = StateOf<typeof importCounts>;

/** The state of one import of products. The audit entries about the import belong to this document. */
export const importState = z.object({
  id: z.string(),
  ...importCounts.shape,
  startedAt: z.date(),
  /** When rows of this import were last stored. */
  activeAt: z.date(),
  /** Null while the import is running. */
  finishedAt: z.date().nullable(),
});
export type ProductImport = StateOf<typeof importState>;

/**
 * Why an import did not reach the end of its file. `stopped`: somebody stopped it. `failed`: an error ended it, such as
 * a lost database. `silent`: it stored nothing for 15 minutes, for example because its process was killed.
 */
export type Interruption = 'stopped' | 'failed' | 'silent';

const silentAfterMs = 15 * 60 * 1000;

const objectOf = (id: string) => ({ type: 'import', id });

export function beginImport(id: string, now: Date): Decision<ProductImport, ProductImport> {
  const fact = audited('catalog', operator, 'import-begun', { object: objectOf(id) });
  const none = { created: 0, changed: 0, unchanged: 0, refused: 0 };
  return changed({ id, startedAt: now, activeAt: now, finishedAt: null, ...none }, [fact]);
}

/** Counts the rows, in the same transaction that stores them. Throws if the import has already ended. */
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

/**
 * Ends an import; a second call changes nothing. Rows are stored and counted in one transaction, so the counts are
 * always exact.
 */
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
