import { ApiError, ConflictError } from '@storefront/client';
import { expect, it } from 'vitest';
import { changesOf, onConflict, saveOnTop, saveOver, type Conflict } from '../src/shell/save-over.ts';

interface State {
  readonly name: string;
  readonly price: { readonly amount: number };
  readonly active: boolean;
}
const read: State = { name: 'Parcel', price: { amount: 495 }, active: true };

/** Saves `change`, typed over `read`, to what others have made of it meanwhile, and chooses as `mine` says where it is asked. */
async function save(change: Partial<State>, others: readonly Partial<State>[], mine: readonly string[] | null = []) {
  let stored = read;
  const left = [...others];
  const asked: Conflict['differences'][] = [];
  onConflict(({ differences, choose }) => {
    asked.push(differences);
    choose(mine && new Set(mine));
  });
  const saved = await saveOver<State, Partial<State>>(read, change, async (part, of) => {
    const other = left.shift();
    if (other) stored = { ...stored, ...other };
    if (of !== stored) throw new ConflictError(new ApiError('version_mismatch', 'Changed'), stored);
    return (stored = { ...stored, ...part });
  });
  return { saved, stored, asked };
}

it('saves what nobody else has changed', async () => {
  expect(await save({ name: 'Letter' }, [])).toEqual({
    saved: { ...read, name: 'Letter' },
    stored: { ...read, name: 'Letter' },
    asked: [],
  });
});

it('asks nobody where another person has changed something else, or the same to the same', async () => {
  const { stored, asked } = await save({ name: 'Letter', active: false }, [{ price: { amount: 595 }, active: false }]);
  expect(stored).toEqual({ name: 'Letter', price: { amount: 595 }, active: false });
  expect(asked).toEqual([]);
});

it.each<[what: string, mine: readonly string[] | null, stored: Partial<State>]>([
  ['mine', ['price'], { name: 'Letter', price: { amount: 395 } }],
  ['theirs', [], { name: 'Letter', price: { amount: 595 } }],
  ['neither', null, { price: { amount: 595 } }],
])('asks where both have changed a field, and keeps %s', async (_what, mine, stored) => {
  const change = { name: 'Letter', price: { amount: 395 } };
  const done = await save(change, [{ price: { amount: 595 } }], mine);
  expect(done.asked).toEqual([[{ field: 'price', mine: { amount: 395 }, theirs: { amount: 595 } }]]);
  expect(done.stored).toEqual({ ...read, ...stored });
  expect(done.saved).toEqual(mine && done.stored);
});

it('begins anew where it is changed once more while one chooses', async () => {
  const { stored, asked } = await save({ name: 'Letter' }, [{ name: 'Box' }, { name: 'Crate' }], ['name']);
  expect(asked.flat().map(({ theirs }) => theirs)).toEqual(['Box', 'Crate']);
  expect(stored.name).toBe('Letter');
});

it('asks about what has changed between the list and the reading of one of it', async () => {
  const asked: string[] = [];
  onConflict(({ differences, choose }) => {
    asked.push(...differences.map(({ field }) => field));
    choose(new Set());
  });
  const sent: Partial<State>[] = [];
  const theirs = { ...read, price: { amount: 595 } };
  const save = async (part: Partial<State>, of: State) => (sent.push(part), { ...of, ...part });
  const change = { name: 'Letter', price: { amount: 395 } };
  expect(await saveOnTop<State, Partial<State>>(read, theirs, change, save)).toEqual({ ...theirs, name: 'Letter' });
  expect([asked, sent]).toEqual([['price'], [{ name: 'Letter' }]]);
});

it('sends only what differs from what was typed over', () => {
  expect(changesOf(read, { ...read, price: { amount: 395 } })).toEqual({ price: { amount: 395 } });
  expect(changesOf(read, { ...read, price: { amount: 495 } })).toEqual({});
});
