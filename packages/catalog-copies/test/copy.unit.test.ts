import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterNews, type Copy, type News } from '../src/copy.ts';

interface Facts {
  readonly name: string;
}

const state = (sequence: number, name: string): News<Facts> => ({
  id: 'cat_1',
  sequence,
  at: new Date(sequence),
  facts: { name },
  deleted: false,
  isSnapshot: false,
});
const deletion = (sequence: number): News<Facts> => ({ ...state(sequence, ''), facts: null, deleted: true });
const snapshotOf = (news: News<Facts>, more: Partial<News<Facts>> = {}): News<Facts> => ({
  ...news,
  isSnapshot: true,
  ...more,
});
const after = (current: Copy<Facts> | null, ...all: readonly News<Facts>[]) =>
  all.reduce((copy, news) => afterNews(copy, news) ?? copy, current);

describe('the copy after the events of the catalog', () => {
  it('is that of the newest, in whatever order and however often they arrive, from snapshots or not', () => {
    const histories = fc
      .array(fc.string(), { minLength: 1, maxLength: 6 })
      .map((names) => names.map((name, index) => state(index + 1, name)))
      .chain((live) =>
        fc
          .subarray(live)
          .chain((again) =>
            fc.shuffledSubarray([...live, ...live, ...again.map((news) => snapshotOf(news))], {
              minLength: live.length * 2,
            }),
          )
          .map((arriving) => ({ newest: live.at(-1), arriving })),
      )
      .filter(({ newest, arriving }) => arriving.some(({ sequence }) => sequence === newest?.sequence));
    fc.assert(
      fc.property(histories, ({ newest, arriving }) => {
        const { id, sequence, facts } = newest as News<Facts>;
        expect(after(null, ...arriving)).toEqual({ id, sequence, facts, deleted: false });
      }),
    );
  });

  it('keeps the last facts of what is deleted, and does not come back', () => {
    const copy = after(null, state(1, 'Cups'), deletion(3), state(2, 'Mugs'));
    expect(copy).toEqual({ id: 'cat_1', sequence: 3, facts: { name: 'Cups' }, deleted: true });
  });

  it('has no facts where the deletion is all that was heard of', () => {
    expect(after(null, deletion(2), state(1, 'Cups'))).toMatchObject({ sequence: 2, facts: null, deleted: true });
  });
});

describe('a snapshot', () => {
  const copy = after(null, state(1, 'Cups'), state(2, 'Mugs'));

  it('changes nothing of a copy that is right', () => {
    expect(afterNews(copy, snapshotOf(state(2, 'Mugs')))).toBeNull();
  });

  it('puts the copy of the same version right, where the event of the change does not', () => {
    const wrong = after(null, state(2, 'Wrong'));
    expect(afterNews(wrong, state(2, 'Mugs'))).toBeNull();
    expect(afterNews(wrong, snapshotOf(state(2, 'Mugs')))).toEqual(copy);
    const undeleted = after(copy, state(3, 'Mugs'));
    expect(afterNews(undeleted, snapshotOf(state(3, 'Mugs'), { deleted: true }))).toMatchObject({ deleted: true });
  });

  it('makes a copy anew, and is newer than one that missed a change', () => {
    expect(afterNews(null, snapshotOf(state(2, 'Mugs')))).toEqual(copy);
    expect(afterNews(copy, snapshotOf(state(5, 'Bowls')))).toMatchObject({ sequence: 5, facts: { name: 'Bowls' } });
    expect(afterNews(copy, snapshotOf(state(1, 'Cups')))).toBeNull();
  });

  it('has the last facts of what is deleted, also where the copy heard of nothing else', () => {
    expect(after(null, deletion(3), snapshotOf(state(3, 'Mugs'), { deleted: true }))).toMatchObject({
      facts: { name: 'Mugs' },
      deleted: true,
    });
  });
});
