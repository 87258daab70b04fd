import { useState } from 'react';
import { lastRefreshAt } from '../api/reads.ts';

interface Rows<Row> {
  readonly data: readonly Row[];
}

interface Steady<Page> {
  readonly page: Page | undefined;
  /** Whether there are other rows by now, which `show` shows. */
  readonly hasChanged: boolean;
  readonly show: () => void;
}

/**
 * The page of a list that is shown: always what the rows are like now, but other rows, or another order, only after whoever is
 * at the page has changed something or asks for them. So no row moves from under a pointer or a key. `of` says which page of
 * which list it is.
 */
export function useSteady<Row, Page extends Rows<Row>>(
  latest: Page | undefined,
  of: string,
  readAt: number,
  keyOf: (row: Row) => string,
): Steady<Page> {
  const [held, setHeld] = useState({ of, readAt, page: latest });
  const show = () => setHeld({ of, readAt, page: latest });
  if (latest === held.page && of === held.of) return { page: latest, hasChanged: false, show };
  const isAsked = held.readAt <= lastRefreshAt() && lastRefreshAt() <= readAt;
  if (!latest || !held.page || of !== held.of || isAsked || hasSameRows(held.page, latest, keyOf)) {
    show();
    return { page: latest, hasChanged: false, show };
  }
  return { page: held.page, hasChanged: true, show };
}

function hasSameRows<Row>(one: Rows<Row>, other: Rows<Row>, keyOf: (row: Row) => string): boolean {
  const keys = ({ data }: Rows<Row>) => JSON.stringify(data.map(keyOf));
  return keys(one) === keys(other);
}
