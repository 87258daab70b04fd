import { useRouter } from '@tanstack/react-router';
import { memo, useCallback, useRef, useState, type FocusEvent, type ReactNode } from 'react';
import { operations } from 'virtual:operations';
import { liveMs, useRead, type ReadCall } from '../api/reads.ts';
import { t } from '../language/index.ts';
import type { BulkAction } from './bulk-dialog.tsx';
import { A, Button, Empty, Loading, Problem } from './basics.tsx';
import { Chips, Filters, SearchBox } from './filters.tsx';
import { useRowKeys } from './row-keys.ts';
import { SavedViews } from './saved-views.tsx';
import { useSearchState, type Search } from './search.ts';
import { useSteady } from './steady.ts';
import { Selection } from './selection.tsx';
import { SnippetMenu } from './snippet-menu.tsx';
import parts from './parts.module.css';
import css from './table.module.css';

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures end at the right. */
  readonly align?: 'end';
  /** The link of the row is here. */
  readonly isName?: true;
}

interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

/** A call that lists, and can go from page to page. */
interface ListCall<Input, Row> extends ReadCall<Input, PageOf<Row>> {
  pages(input: Input, options: { readonly signal: AbortSignal }): AsyncIterable<PageOf<Row>>;
}

interface DataTableProps<Row, Input> {
  /** The operation that lists. What it filters, the table filters. */
  readonly list: ListCall<Input, Row>;
  readonly params?: Readonly<Record<string, string>>;
  /** What is always asked for, such as the status of a queue. */
  readonly fixed?: Search;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly linkOf?: (row: Row) => string;
  readonly nameOf?: (row: Row) => string;
  readonly bulk?: readonly BulkAction<Row>[];
  readonly empty?: string;
  /** Further buttons over the table. */
  readonly children?: ReactNode;
}

const controlsOfRow = 'a, button, input';
const rowsOfPage = '25';
/** The longest pages that the API has. */
const longestPage = '100';

/**
 * A list of the API as a table. Its filters and its page are in the address, so that going back, reloading and sending the
 * address to somebody keep them.
 */
export function DataTable<Row, Input>(props: DataTableProps<Row, Input>) {
  const { list, params, fixed = {}, columns, keyOf, linkOf, bulk = [], label } = props;
  const [, id] = list.key;
  const [search, change] = useSearchState();
  const [isOpen, setIsOpen] = useState(false);
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const all = operations[id]?.filters ?? [];
  const fields = all.filter(({ name }) => !(name in fixed));
  const allowed = new Set([...fields.map(({ name }) => name), 'cursor']);
  const query = {
    limit: rowsOfPage,
    ...fixed,
    ...Object.fromEntries(Object.entries(search).filter(([name]) => allowed.has(name))),
  };
  const input = { ...(params && { params }), query } as Input;
  const read = useRead(list, input, { everyMs: liveMs });
  const { error, isPending, isPlaceholderData, refetch } = read;
  const of = JSON.stringify([id, input, isPlaceholderData]);
  const { page: data, hasChanged, show } = useSteady(read.data, of, read.dataUpdatedAt, keyOf);
  const rows = data?.data ?? [];
  const router = useRouter();
  const body = useRef<HTMLTableSectionElement>(null);
  const current = useRowKeys(
    rows.length,
    (at) => {
      const row = rows[at];
      if (row && linkOf) router.history.push(`/console${linkOf(row)}`);
    },
    (at) => {
      const row = body.current?.rows[at];
      row?.scrollIntoView({ block: 'nearest' });
      // From there one goes on to what else can be done with the row.
      row?.querySelector<HTMLElement>(linkOf ? 'a' : controlsOfRow)?.focus();
    },
  );
  const boxes = fields.filter(({ name }) => name !== 'q');

  const toggle = useCallback(
    (row: Row) =>
      setSelected((before) => {
        const next = new Map(before);
        if (!next.delete(keyOf(row))) next.set(keyOf(row), row);
        return next;
      }),
    [keyOf],
  );
  const isAllSelected = rows.length > 0 && rows.every((row) => selected.has(keyOf(row)));
  function togglePage(): void {
    const next = new Map(selected);
    for (const row of rows) {
      if (isAllSelected) next.delete(keyOf(row));
      else next.set(keyOf(row), row);
    }
    setSelected(next);
  }

  return (
    <>
      <section className={parts.card} aria-label={label}>
        <div className={css.bar}>
          {fields.some(({ name }) => name === 'q') && <SearchBox search={search} change={change} />}
          {boxes.length > 0 && (
            <Button icon="filter" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {t.filter}
            </Button>
          )}
          <SavedViews list={id} search={search} fields={fields} />
          <div className={`${parts.row} ${css.push}`}>
            {props.children}
            <SnippetMenu snippet={() => ({ area: list.key[0], id, input: { ...(params && { params }), query } })} />
          </div>
        </div>
        {isOpen && <Filters fields={boxes} search={search} change={change} />}
        <Chips fields={fields} search={search} change={change} />
        {hasChanged && (
          <div className={css.bar} role="status">
            {t.listChanged} <Button onClick={show}>{t.showChanges}</Button>
          </div>
        )}
        {error ? (
          <div className={css.bar}>
            <Problem error={error} retry={() => void refetch()} />
          </div>
        ) : isPending ? (
          <div className={parts.cardBody}>
            <Loading lines={8} />
          </div>
        ) : rows.length === 0 ? (
          <Empty title={props.empty ?? t.nothingHere}>
            {fields.some(({ name }) => search[name]) && <p>{t.nothingMatches}</p>}
          </Empty>
        ) : (
          // It can be scrolled by the keyboard where it is wider than the page.
          // oxlint-disable-next-line no-noninteractive-tabindex
          <div className={css.scroll} tabIndex={0} role="region" aria-label={label} onFocus={showWhole}>
            <table className={css.table}>
              <thead>
                <tr>
                  {bulk.length > 0 && (
                    <th className={css.pick} scope="col">
                      <input type="checkbox" aria-label={t.selectPage} checked={isAllSelected} onChange={togglePage} />
                    </th>
                  )}
                  {columns.map(({ title, align }) => (
                    <th key={title} scope="col" data-align={align}>
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody ref={body} data-old={isPlaceholderData ? '' : undefined}>
                {rows.map((row, at) => (
                  <TableRow
                    key={keyOf(row)}
                    row={row}
                    columns={columns}
                    href={linkOf?.(row)}
                    name={bulk.length > 0 ? (props.nameOf?.(row) ?? keyOf(row)) : undefined}
                    isCurrent={current === at}
                    isSelected={selected.has(keyOf(row))}
                    toggle={toggle}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <div className={css.foot}>
          <span className="muted">{rows.length > 0 && t.rowsShown(rows.length)}</span>
          {search.cursor && <Button onClick={() => change({ cursor: undefined })}>{t.firstPage}</Button>}
          {search.cursor && (
            <Button icon="previous" onClick={() => router.history.back()}>
              {t.previous}
            </Button>
          )}
          {data?.nextCursor && (
            <Button onClick={() => change({ cursor: data.nextCursor ?? undefined })}>{t.next}</Button>
          )}
        </div>
      </section>
      {selected.size > 0 && (
        <Selection
          selected={selected}
          shown={rows.map(keyOf)}
          actions={bulk}
          nameOf={props.nameOf ?? keyOf}
          clear={() => setSelected(new Map())}
          all={(signal) =>
            list.pages({ ...input, query: { ...query, limit: longestPage, cursor: undefined } }, { signal })
          }
          isAll={!search.cursor && data?.nextCursor === null}
          select={(all) => setSelected(new Map(all.map((row) => [keyOf(row), row])))}
        />
      )}
    </>
  );
}

/** A browser leaves a cell at the edge of a wide table as it is, where one pixel of it is seen. */
function showWhole({ target, currentTarget }: FocusEvent): void {
  if (target !== currentTarget && target.matches(':focus-visible'))
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly href: string | undefined;
  /** What it is selected by; undefined where it can't be selected. */
  readonly name: string | undefined;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly toggle: (row: Row) => void;
}

// Of a long list, a key or a box changes one row or two: the others are not worked out anew.
const TableRow = memo(function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, href, name, isCurrent, isSelected, toggle } = props;
  return (
    <tr data-current={isCurrent ? '' : undefined} data-selected={isSelected ? '' : undefined}>
      {name !== undefined && (
        <td className={css.pick}>
          <input type="checkbox" aria-label={`${t.select} ${name}`} checked={isSelected} onChange={() => toggle(row)} />
        </td>
      )}
      {columns.map(({ title, cell, align, isName }) => (
        <td key={title} data-align={align}>
          {isName && href !== undefined ? (
            <A to={href} className={css.name}>
              {cell(row)}
            </A>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;
