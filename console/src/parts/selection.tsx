import { useRef, useState } from 'react';
import { tell } from '../api/problems.ts';
import { t } from '../language/index.ts';
import { Button, Note } from './basics.tsx';
import { BulkDialog, type BulkAction } from './bulk-dialog.tsx';
import css from './table.module.css';

interface SelectionProps<Row> {
  readonly selected: ReadonlyMap<string, Row>;
  /** The keys of the rows that the table shows. */
  readonly shown: readonly string[];
  readonly actions: readonly BulkAction<Row>[];
  readonly nameOf: (row: Row) => string;
  readonly clear: () => void;
  /** Every row that the filters of the table match, page by page. */
  readonly all: (signal: AbortSignal) => AsyncIterable<{ readonly data: readonly Row[] }>;
  /** Whether the table shows all of them. */
  readonly isAll: boolean;
  readonly select: (rows: readonly Row[]) => void;
}

/** The rows are kept in the page until something is done to them: some ten megabytes. */
const mostSelected = 10_000;

/** What is selected, also where it is not in view, and what can be done to all of it. */
export function Selection<Row>({ selected, shown, actions, nameOf, clear, all, isAll, select }: SelectionProps<Row>) {
  const [action, setAction] = useState<BulkAction<Row> | null>(null);
  const [found, setFound] = useState<number | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const reading = useRef<AbortController>(null);
  const hidden = [...selected.keys()].filter((key) => !shown.includes(key)).length;

  async function selectAll(): Promise<void> {
    const controller = new AbortController();
    reading.current = controller;
    setProblem(null);
    setFound(0);
    try {
      const rows: Row[] = [];
      for await (const { data } of all(controller.signal)) {
        rows.push(...data);
        if (rows.length > mostSelected) throw new Error(t.tooManyMatch(mostSelected));
        setFound(rows.length);
      }
      select(rows);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(error);
    } finally {
      setFound(null);
    }
  }

  return (
    <div className={css.selection} role="status">
      {found !== null ? (
        <>
          <span>{t.foundSoFar(found)}</span>
          <Button onClick={() => reading.current?.abort()}>{t.stop}</Button>
        </>
      ) : (
        <>
          <strong>{t.selected(selected.size)}</strong>
          {hidden > 0 && <span className="muted">{t.notInView(hidden)}</span>}
          {!isAll && <Button onClick={() => void selectAll()}>{t.selectAllThatMatch}</Button>}
          {actions.map((one) => (
            <Button
              key={one.title}
              tone={one.tone ?? 'plain'}
              {...(one.icon && { icon: one.icon })}
              onClick={() => setAction(one)}
            >
              {one.title}
            </Button>
          ))}
          <Button tone="quiet" onClick={clear}>
            {t.selectNone}
          </Button>
        </>
      )}
      {problem !== null && <Note tone="bad">{tell(problem).sentence}</Note>}
      {action && (
        <BulkDialog action={action} rows={[...selected]} nameOf={nameOf} close={() => setAction(null)} clear={clear} />
      )}
    </div>
  );
}
