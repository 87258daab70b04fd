import { audited, changed, unchanged, type Actor, type Decision, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { delimiters } from './csv-rows.ts';
import type { RowOutcome } from './decide-rows.ts';
import { encodings } from './encoding.ts';
import type { ImportFile } from './import-file.ts';

/** The number of imported rows by result. `warned` counts rows that were taken and are strange. */
const importCounts = z.object({
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  warned: z.int(),
});
type ImportCounts = StateOf<typeof importCounts>;

/**
 * Why an import did not reach the end of its file. `stopped`: somebody stopped it, or the instance that worked on it was
 * ended. `failed`: an error ended it, such as a lost database. `silent`: it stored nothing for 15 minutes, for example
 * because its process was killed.
 */
const interruption = z.enum(['stopped', 'failed', 'silent']);
export type Interruption = z.output<typeof interruption>;

/** The state of one import of products. The audit entries about the import belong to this document. */
export const importState = z.object({
  id: z.string(),
  /** Whether the import only says what it would do. */
  dryRun: z.boolean(),
  /** Who has started it; null once it has ended, since the audit log knows. */
  by: z.object({ userId: z.string().nullable(), role: z.string() }).nullable(),
  file: z.object({
    format: z.enum(['csv', 'json']),
    encoding: z.enum(encodings),
    samples: z.array(z.string()),
    delimiter: z.enum(delimiters).nullable(),
    columns: z.array(z.string()),
    /** The number of its lines, or of its products. */
    size: z.int(),
  }),
  ...importCounts.shape,
  /** The line, or the product, up to which all rows are stored or refused. */
  done: z.int(),
  startedAt: z.date(),
  /** When rows of this import were last stored. */
  activeAt: z.date(),
  /** Null while the import is running. */
  finishedAt: z.date().nullable(),
  /** Null while the import is running, and if it reached the end of its file. */
  interrupted: interruption.nullable(),
});
export type ProductImport = StateOf<typeof importState>;

const silentAfterMs = 15 * 60 * 1000;

const objectOf = (id: string) => ({ type: 'import', id });
const nothing: ImportCounts = { created: 0, changed: 0, unchanged: 0, refused: 0, warned: 0 };

/** Begins an import. One that exists already is left as it is: another attempt of the same request has begun it. */
export function beginImport(
  current: ProductImport | null,
  { id, file, actor, dryRun, now }: { id: string; file: ImportFile; actor: Actor; dryRun: boolean; now: Date },
): Decision<ProductImport, { readonly state: ProductImport; readonly isNew: boolean }> {
  if (current !== null) return unchanged({ state: current, isNew: false });
  const { format, encoding, samples, delimiter, columns, size } = file;
  const state: ProductImport = {
    id,
    dryRun,
    by: { userId: actor.userId, role: actor.role },
    file: { format, encoding, samples: [...samples], delimiter, columns: [...columns], size },
    ...nothing,
    done: 0,
    startedAt: now,
    activeAt: now,
    finishedAt: null,
    interrupted: null,
  };
  // A dry run changes nothing, so it has no entries.
  const facts = dryRun ? [] : [audited('catalog', actor, 'import-begun', { object: objectOf(id) })];
  return changed(state, facts, { state, isNew: true });
}

/** Counts the rows, in the same transaction that stores them. Throws if the import has already ended. */
export function countRows(
  current: ProductImport | null,
  outcomes: readonly RowOutcome[],
  now: Date,
): Decision<ProductImport, ProductImport> {
  if (current === null || current.finishedAt !== null)
    throw new Error('The import has stored nothing for so long that it counts as ended.');
  const count = (result: RowOutcome['result']) =>
    current[result] + outcomes.filter((outcome) => outcome.result === result).length;
  return changed(
    {
      ...current,
      created: count('created'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      refused: count('refused'),
      warned: current.warned + outcomes.filter(({ warnings }) => warnings.length > 0).length,
      done: outcomes.at(-1)?.end ?? current.done,
      activeAt: now,
    },
    [],
  );
}

/**
 * Ends an import; a second call changes nothing. Rows are stored and counted in one transaction, so the counts are
 * always exact. `actor` is known only to the process that has worked on the import.
 */
export function endImport(
  current: ProductImport | null,
  { actor, interrupted, now }: { actor?: Actor; interrupted: Interruption | null; now: Date },
): Decision<ProductImport, ProductImport | null> {
  if (current === null || current.finishedAt !== null) return unchanged(current);
  const ended: ProductImport = { ...current, by: null, finishedAt: now, interrupted };
  if (current.dryRun) return changed(ended, []);
  const { created, changed: changes, unchanged: same, refused } = ended;
  const counts = { created, changed: changes, unchanged: same, refused };
  const details = interrupted === null ? counts : { ...counts, interrupted };
  const by = actor ?? { userId: null, role: 'operator', ...current.by, ip: null, device: null };
  return changed(ended, [audited('catalog', by, 'import-finished', { object: objectOf(ended.id), details })]);
}

/** An import that has stored nothing since this time counts as interrupted. */
export function silentSince(now: Date): Date {
  return new Date(now.getTime() - silentAfterMs);
}
