import { useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from '../parts/basics.tsx';
import { Dialog, DialogBody, DialogFoot } from '../parts/dialog.tsx';
import { onConflict, type Conflict } from './save-over.ts';
import css from './shell.module.css';

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '–' : JSON.stringify(value);

/** Mine or theirs, field by field. */
export function ConflictDialog() {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set());
  onConflict((next) => {
    setMine(new Set());
    setConflict(next);
  });
  const end = (chosen: ReadonlySet<string> | null) => {
    conflict?.choose(chosen);
    setConflict(null);
  };
  const pick = (field: string, isMine: boolean) => {
    const next = new Set(mine);
    if (isMine) next.add(field);
    else next.delete(field);
    setMine(next);
  };
  return (
    <Dialog title={t.conflict.title} open={conflict !== null} onOpenChange={(open) => !open && end(null)} isWide>
      <DialogBody>
        <p>{t.conflict.why}</p>
        <table className={css.conflict}>
          <thead>
            <tr>
              <th scope="col">{t.conflict.field}</th>
              <th scope="col">{t.conflict.theirs}</th>
              <th scope="col">{t.conflict.mine}</th>
            </tr>
          </thead>
          <tbody>
            {conflict?.differences.map(({ field, ...values }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                {(['theirs', 'mine'] as const).map((side) => (
                  <td key={side}>
                    <label>
                      <input
                        type="radio"
                        name={`conflict-${field}`}
                        checked={mine.has(field) === (side === 'mine')}
                        onChange={() => pick(field, side === 'mine')}
                      />{' '}
                      {shown(values[side])}
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </DialogBody>
      <DialogFoot>
        <Button onClick={() => end(null)}>{t.conflict.leave}</Button>
        <Button tone="primary" onClick={() => end(mine)}>
          {t.conflict.save}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
