import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';
import type { RowOutcome } from './decide-rows.ts';

/** The rows of an import that can be read after it: by what became of them. */
const keptKinds = ['refused', 'warned', 'created', 'changed'] as const;
export type KeptKind = (typeof keptKinds)[number];

const faults = z.array(z.object({ column: z.string().nullable(), value: z.string().nullable(), message: z.string() }));

/** A row of an import as it is stored. */
export const keptRow = z.object({
  importId: z.string(),
  kinds: z.array(z.enum(keptKinds)),
  place: z.string(),
  sku: z.string().nullable(),
  faults,
  warnings: faults,
  changes: z.array(z.object({ column: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
  /** The cells of a refused row as they are in the file, by the columns of the file. */
  cells: z.array(z.string()),
});
export type KeptRow = StateOf<typeof keptRow>;

/** So many rows of each kind are kept of an import. */
const mostKept = 2000;

/** The numbers of rows by kind. */
type Counts = Readonly<Record<KeptKind, number>>;

/**
 * The rows to keep. An import keeps refused rows and those with warnings; a dry run also what would be created and changed.
 * `before` are the numbers of the rows that came earlier in the file.
 */
export function rowsToKeep(
  outcomes: readonly RowOutcome[],
  { importId, dryRun, before }: { importId: string; dryRun: boolean; before: Counts },
): (KeptRow & { readonly end: number })[] {
  const counts: Record<KeptKind, number> = { ...before };
  return outcomes.flatMap(({ place, end, sku, result, faults, warnings, changes, cells }) => {
    const kinds: KeptKind[] = [
      ...(result === 'unchanged' ? [] : [result]),
      ...(warnings.length > 0 ? (['warned'] as const) : []),
    ];
    for (const kind of kinds) counts[kind] += 1;
    const kept = kinds.filter(
      (kind) => counts[kind] <= mostKept && (dryRun || kind === 'refused' || kind === 'warned'),
    );
    if (kept.length === 0) return [];
    const ofRow = { faults: [...faults], warnings: [...warnings], changes: [...changes] };
    return [{ importId, kinds: kept, place, end, sku, ...ofRow, cells: result === 'refused' ? [...cells] : [] }];
  });
}
