import { ApiError } from '@storefront/client';
import { useEffect, useReducer, useRef, useState } from 'react';
import { timeOfApi } from '../api/client.ts';
import { tell } from '../api/problems.ts';
import { refreshAll } from '../api/reads.ts';
import { t } from '../language/index.ts';
import { withFreshProof } from '../shell/proof.tsx';
import { auditPageSince } from './audited.ts';
import { A, Badge, Button, Note, Row as Line, type Tone } from './basics.tsx';
import { Dialog, DialogBody, DialogFoot } from './dialog.tsx';
import form from './form.module.css';
import type { IconName } from './icon.tsx';
import { useLeaveGuard } from './leave-guard.ts';

/** Something that is done to each of the selected rows. */
export interface BulkAction<Row> {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: Tone;
  /** What follows from it. */
  readonly note?: string;
  /** Why it can't be done to this row; null where it can. It is said before anything is done. */
  readonly whyNot: (row: Row) => string | null;
  readonly run: (row: Row) => Promise<unknown>;
}

interface BulkDialogProps<Row> {
  readonly action: BulkAction<Row>;
  readonly rows: readonly (readonly [key: string, row: Row])[];
  readonly nameOf: (row: Row) => string;
  readonly close: () => void;
  readonly clear: () => void;
}

/** What came of a row: nothing yet, done, or why it was not. */
type Outcome = undefined | 'done' | { readonly problem: string };

const drawnAtOnce = 100;
const pauseMs = 5000;
const redrawMs = 200;

/**
 * Says first what would be done to which row, then does it row by row, and says what came of each. It can be stopped after any
 * row, and goes on with those that are left.
 */
export function BulkDialog<Row>({ action, rows, nameOf, close, clear }: BulkDialogProps<Row>) {
  const outcomes = useRef(new Map<string, Outcome>());
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [isUnderWay, setIsUnderWay] = useState(false);
  const [drawn, setDrawn] = useState(drawnAtOnce);
  const [since] = useState(timeOfApi);
  const isStopped = useRef(false);
  useEffect(() => () => void (isStopped.current = true), []);
  useLeaveGuard(isUnderWay, t.leaveUndone);

  const possible = rows.filter(([, row]) => action.whyNot(row) === null);
  const left = possible.filter(([key]) => outcomes.current.get(key) !== 'done');
  const all = [...outcomes.current.values()];
  const done = all.filter((outcome) => outcome === 'done').length;
  const failed = all.length - done;
  const hasBegun = all.length > 0;

  async function run(): Promise<void> {
    setIsUnderWay(true);
    isStopped.current = false;
    let drawnAt = 0;
    // One after the other: the API takes a limited number of requests of one user at once.
    for (const [key, row] of left) {
      const outcome = await outcomeOf(action, row, isStopped);
      if (outcome === undefined) break;
      outcomes.current.set(key, outcome);
      if (isStopped.current) break;
      if (Date.now() - drawnAt > redrawMs) {
        drawnAt = Date.now();
        redraw();
      }
    }
    setIsUnderWay(false);
    refreshAll();
  }
  function end(): void {
    if (hasBegun) clear();
    close();
  }

  return (
    <Dialog title={action.title} open onOpenChange={() => !isUnderWay && end()}>
      <DialogBody>
        {hasBegun || isUnderWay ? (
          <>
            <progress
              className={form.progress}
              aria-label={t.bulkProgress}
              value={done + failed}
              max={possible.length}
            />
            <p role="status">{t.bulkDone(done, failed, possible.length - done - failed)}</p>
          </>
        ) : (
          <>
            <p>{t.bulkWould(possible.length, rows.length - possible.length)}</p>
            {action.note && <p>{action.note}</p>}
          </>
        )}
        {hasBegun && !isUnderWay && (
          <Note tone={failed > 0 ? 'warn' : 'good'}>
            <p>
              <A to={auditPageSince(since)}>{t.auditOfBulk}</A>
            </p>
          </Note>
        )}
        <Rows
          rows={rows}
          drawn={drawn}
          nameOf={nameOf}
          outcomeOf={(key) => outcomes.current.get(key)}
          whyNot={action.whyNot}
        />
        {drawn < rows.length && (
          <Line>
            <Button onClick={() => setDrawn(drawn + drawnAtOnce)}>{t.showMore(rows.length - drawn)}</Button>
          </Line>
        )}
      </DialogBody>
      <DialogFoot>
        {isUnderWay ? (
          <Button onClick={() => (isStopped.current = true)}>{t.stop}</Button>
        ) : left.length === 0 && hasBegun ? (
          <Button tone="primary" onClick={end}>
            {t.done}
          </Button>
        ) : (
          <Button
            tone={action.tone === 'danger' ? 'danger' : 'primary'}
            disabled={left.length === 0}
            onClick={() => void run()}
          >
            {!hasBegun
              ? t.doForAll(possible.length)
              : left.length === failed
                ? t.tryFailed(failed)
                : t.doForRest(left.length)}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  );
}

/** Does it to one row. Waits where the API has had enough requests for now. Undefined where nothing was done, and nothing more should be. */
async function outcomeOf<Row>(
  action: BulkAction<Row>,
  row: Row,
  isStopped: { readonly current: boolean },
): Promise<Outcome> {
  while (!isStopped.current) {
    try {
      await withFreshProof(() => action.run(row));
      return 'done';
    } catch (error) {
      // Whoever does not prove who they are is not asked again for the next row.
      if (error instanceof ApiError && error.code === 'reauthentication_required') return undefined;
      if (!(error instanceof ApiError && error.status === 429)) return { problem: tell(error).sentence };
      const waitMs = error.retryAfterMs ?? pauseMs;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return undefined;
}

interface RowsProps<Row> {
  readonly rows: readonly (readonly [key: string, row: Row])[];
  readonly drawn: number;
  readonly nameOf: (row: Row) => string;
  readonly outcomeOf: (key: string) => Outcome;
  readonly whyNot: (row: Row) => string | null;
}

/** The rows with what came or would come of them: first those that somebody has to look at. */
function Rows<Row>({ rows, drawn, nameOf, outcomeOf, whyNot }: RowsProps<Row>) {
  const shown = rows.map(([key, row]) => {
    const why = whyNot(row);
    const outcome = outcomeOf(key);
    return { key, row, why, outcome, rank: typeof outcome === 'object' ? 0 : why !== null ? 1 : 2 };
  });
  return (
    <table className={form.lines}>
      <tbody>
        {shown
          .toSorted((one, other) => one.rank - other.rank)
          .slice(0, drawn)
          .map(({ key, row, why, outcome }) => (
            <tr key={key}>
              <td>{nameOf(row)}</td>
              <td>
                {typeof outcome === 'object' ? (
                  <span className={form.error}>{outcome.problem}</span>
                ) : outcome === 'done' ? (
                  <Badge value="done" />
                ) : (
                  <span className="muted">{why ?? t.wouldBeDone}</span>
                )}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
