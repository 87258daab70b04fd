import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, formatPosition, isNew, parsePosition, positionAt, type StreamPosition } from './stream-position.ts';

const start = new Date('2026-11-21T09:30:00Z');
const item = (id: string, seconds: number) => ({ id, createdAt: new Date(start.getTime() + seconds * 1000) });

/** Follows as a stream does: looks at everything there is, shows what is new. */
function look(position: StreamPosition, there: readonly ReturnType<typeof item>[]) {
  const shown: string[] = [];
  let at = position;
  for (const entry of there.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())) {
    if (!isNew(at, entry)) continue;
    at = advance(at, entry);
    shown.push(entry.id);
  }
  return { shown, position: at };
}

describe('a position in a stream', () => {
  it('shows each once, also what becomes visible late', () => {
    const first = look(positionAt(start), [item('a', 1), item('c', 3)]);
    expect(first.shown).toEqual(['a', 'c']);
    const second = look(first.position, [item('a', 1), item('b', 2), item('c', 3), item('d', 4)]);
    expect(second.shown).toEqual(['b', 'd']);
  });

  it('counts everything older than ten seconds as shown', () => {
    const { position } = look(positionAt(start), [item('a', 1), item('b', 20)]);
    expect(isNew(position, item('late', 9))).toBe(false);
    expect(isNew(position, item('late', 11))).toBe(true);
  });

  it('is the same after a client sent it back', () => {
    const entries = fc.array(fc.tuple(fc.uuid(), fc.integer({ min: -9, max: 40 })), { maxLength: 300 });
    fc.assert(
      fc.property(entries, (list) => {
        const { position } = look(
          positionAt(start),
          list.map(([id, seconds]) => item(id, seconds)),
        );
        const text = formatPosition(position);
        expect(text.length).toBeLessThan(4096);
        expect(parsePosition(text)).toEqual(position);
      }),
    );
  });

  it('never shows anything twice, however much comes at once', () => {
    const flood = Array.from({ length: 500 }, (_, index) => item(`n${index}`, index / 100));
    const first = look(positionAt(start), flood);
    expect(first.shown).toHaveLength(500);
    expect(look(parsePosition(formatPosition(first.position)) ?? positionAt(start), flood).shown).toEqual([]);
  });

  it.each(['', 'abc', 'mi8t9c00', 'mi8t9c00.x.nonsense', '../../etc', '🙂', 'mi8t9c00.7ps.abcdef'])(
    'can not be read from %j',
    (text) => {
      expect(parsePosition(text)).toBeNull();
    },
  );
});
