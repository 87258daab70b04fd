import { useState } from 'react';
import { tell } from '../api/problems.ts';
import { refreshAll } from '../api/reads.ts';
import { t } from '../language/index.ts';
import { Badge, Button, type Tone } from './basics.tsx';
import { Dialog, DialogBody, DialogFoot } from './dialog.tsx';
import form from './form.module.css';
import type { IconName } from './icon.tsx';
import css from './table.module.css';

/** Something that is done to each of the selected rows. */
export interface BulkAction<Row> {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: Tone;
  /** Why it can't be done to this row; null where it can. It is said before anything is done. */
  readonly whyNot: (row: Row) => string | null;
  readonly run: (row: Row) => Promise<unknown>;
}

interface SelectionProps<Row> {
  readonly selected: ReadonlyMap<string, Row>;
  /** The keys of the rows that the table shows. */
  readonly shown: readonly string[];
  readonly actions: readonly BulkAction<Row>[];
  readonly nameOf: (row: Row) => string;
  readonly clear: () => void;
}

/** What is selected, also where it is not in view, and what can be done to all of it. */
export function Selection<Row>({ selected, shown, actions, nameOf, clear }: SelectionProps<Row>) {
  const [action, setAction] = useState<BulkAction<Row> | null>(null);
  const hidden = [...selected.keys()].filter((key) => !shown.includes(key)).length;
  return (
    <div className={css.selection} role="status">
      <strong>{t.selected(selected.size)}</strong>
      {hidden > 0 && <span className="muted">{t.notInView(hidden)}</span>}
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
      {action && (
        <BulkDialog action={action} rows={[...selected]} nameOf={nameOf} close={() => setAction(null)} clear={clear} />
      )}
    </div>
  );
}

interface BulkDialogProps<Row> {
  readonly action: BulkAction<Row>;
  readonly rows: readonly (readonly [key: string, row: Row])[];
  readonly nameOf: (row: Row) => string;
  readonly close: () => void;
  readonly clear: () => void;
}

/** Says first what would be done to which row, then what came of each. */
function BulkDialog<Row>({ action, rows, nameOf, close, clear }: BulkDialogProps<Row>) {
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const [isUnderWay, setIsUnderWay] = useState(false);
  const possible = rows.filter(([, row]) => action.whyNot(row) === null);
  const isDone = results.size === possible.length && results.size > 0;
  async function run(): Promise<void> {
    setIsUnderWay(true);
    // One after the other: the API takes a limited number of requests of one user at once.
    for (const [key, row] of possible) {
      const result = await action.run(row).then(
        () => '',
        (error: unknown) => tell(error).sentence,
      );
      setResults((before) => new Map(before).set(key, result));
    }
    setIsUnderWay(false);
    refreshAll();
  }
  return (
    <Dialog title={action.title} open onOpenChange={() => (isDone && clear(), close())}>
      <DialogBody>
        <p>{t.bulkWould(possible.length, rows.length - possible.length)}</p>
        <table className={form.lines}>
          <tbody>
            {rows.map(([key, row]) => {
              const why = action.whyNot(row);
              const result = results.get(key);
              return (
                <tr key={key}>
                  <td>{nameOf(row)}</td>
                  <td>
                    {why !== null ? (
                      <span className="muted">{why}</span>
                    ) : result === undefined ? (
                      <span className="muted">{isUnderWay ? t.working : t.wouldBeDone}</span>
                    ) : result === '' ? (
                      <Badge value="done" />
                    ) : (
                      <span className={form.error}>{result}</span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </DialogBody>
      <DialogFoot>
        {isDone ? (
          <Button tone="primary" onClick={() => (clear(), close())}>
            {t.close}
          </Button>
        ) : (
          <Button
            tone={action.tone === 'danger' ? 'danger' : 'primary'}
            disabled={isUnderWay || possible.length === 0}
            onClick={() => void run()}
          >
            {t.doForAll(possible.length)}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  );
}
