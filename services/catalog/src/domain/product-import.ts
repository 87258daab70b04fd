import { audited, changed, operator } from '@storefront/contracts';
import type { Decision } from '@storefront/contracts';

/** An import of products, as the audit log is told of it. */
export interface ProductImport {
  readonly id: string;
  readonly startedAt: Date;
  /** Null while it is under way, and for good where it was interrupted. */
  readonly finishedAt: Date | null;
}

interface Counts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
}

const objectOf = (id: string) => ({ type: 'import', id });

export function beginImport(id: string, now: Date): Decision<ProductImport, ProductImport> {
  const fact = audited('catalog', operator, 'import-begun', { object: objectOf(id) });
  return changed({ id, startedAt: now, finishedAt: null }, [fact]);
}

export function finishImport(
  current: ProductImport | null,
  id: string,
  { created, changed: different, unchanged, refused }: Counts,
  now: Date,
): Decision<ProductImport, ProductImport> {
  const details = { created, changed: different, unchanged, refused };
  const fact = audited('catalog', operator, 'import-finished', { object: objectOf(id), details });
  return changed({ id, startedAt: current?.startedAt ?? now, finishedAt: now }, [fact]);
}
