import { ConflictError } from '@storefront/client';
import { useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from '../parts/basics.tsx';
import { Dialog, DialogBody, DialogFoot } from '../parts/dialog.tsx';
import css from './shell.module.css';

interface Difference {
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

interface Conflict {
  readonly differences: readonly Difference[];
  readonly choose: (mine: ReadonlySet<string> | null) => void;
}

let show: ((conflict: Conflict) => void) | undefined;

/**
 * Saves a change of what was read as `read`. Where somebody else has changed it meanwhile, shows both for each field that
 * both have changed, and saves what is chosen on top of theirs. Returns null where one rather keeps theirs. `partOf` is the part
 * that has the fields, where the change is not about all of it.
 */
export async function saveOver<State extends object, Change extends object>(
  read: State,
  change: Change,
  save: (change: Change, of: State) => Promise<State>,
  partOf: (state: State) => object = (state) => state,
): Promise<State | null> {
  try {
    return await save(change, read);
  } catch (error) {
    if (!(error instanceof ConflictError) || !error.current || !show) throw error;
    const theirs = error.current as State;
    const [before, now] = [partOf(read), partOf(theirs)];
    const changed = Object.keys(change).filter((field) => !isSame(valueOf(now, field), valueOf(before, field)));
    const differences = changed
      .map((field) => ({ field, mine: valueOf(change, field), theirs: valueOf(now, field) }))
      .filter(({ mine, theirs }) => !isSame(mine, theirs));
    // Nothing that both have changed otherwise: both changes hold.
    const mine =
      differences.length === 0
        ? new Set<string>()
        : await new Promise<ReadonlySet<string> | null>((choose) => show?.({ differences, choose }));
    if (mine === null) return null;
    const kept = Object.entries(change).filter(([field]) => !changed.includes(field) || mine.has(field));
    return kept.length === 0 ? theirs : saveOver(theirs, Object.fromEntries(kept) as Change, save, partOf);
  }
}

/** What of `after` differs from `before`: only that is sent, so that two people can change different fields. */
export function changesOf<Body extends object>(before: Body, after: Body): Partial<Body> {
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, valueOf(before, name)));
  return Object.fromEntries(changed) as Partial<Body>;
}

const valueOf = (state: object, field: string): unknown => (state as Readonly<Record<string, unknown>>)[field];
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '–' : JSON.stringify(value);

/** Mine or theirs, field by field. */
export function ConflictDialog() {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set());
  show = (next) => {
    setMine(new Set());
    setConflict(next);
  };
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
