import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lane } from '../domain/lane.ts';
import { createHandoverTurns, type HandoverTurn, type HandoverTurns } from './handover-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let turns: HandoverTurns;
beforeEach(() => {
  turns = createHandoverTurns({ connections: 2, maxUnsaved: 1 });
});

/** The turn of a mail, and which of its places it has got. */
function enter(lane: Lane = 'transactional'): { turn: HandoverTurn; got: string[] } {
  const turn = turns.next(lane);
  const got: string[] = [];
  const pass = async () => {
    for (const step of ['toConnect', 'toMark', 'toEnd'] as const) {
      await turn[step]();
      got.push(step);
    }
  };
  void pass();
  return { turn, got };
}
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const all = ['toConnect', 'toMark', 'toEnd'];

describe('the turn of a mail', () => {
  it('comes once the mail before it is answered, and ends once that is saved', async () => {
    const [first, second, third] = [enter(), enter(), enter()];
    await later(0);
    expect([first.got, second.got, third.got]).toEqual([all, ['toConnect'], []]);
    first.turn.answered();
    await later(5000);
    expect([second.got, third.got]).toEqual([['toConnect', 'toMark'], ['toConnect']]);
    first.turn.saved();
    await later(0);
    expect(second.got).toEqual(all);
  });

  it('comes after a second where the one before it has no answer, with a connection besides', async () => {
    const silent = Array.from({ length: 3 }, () => enter());
    const healthy = enter();
    await later(2999);
    expect(silent.map(({ got }) => got)).toEqual([all, all, all]);
    expect(turns.overdue('transactional')).toBe(2);
    expect(healthy.got).toEqual(['toConnect']);
    await later(1);
    expect(healthy.got).toEqual(all);
    expect(turns.overdue('transactional')).toBe(3);
    for (const { turn } of silent) turn.saved();
    await later(0);
    expect(turns.overdue('transactional')).toBe(0);
  });

  it('does not come where too many are without an answer, until one of these is over', async () => {
    const silent = Array.from({ length: 9 }, () => enter());
    const healthy = enter();
    await later(60_000);
    expect(turns.overdue('transactional')).toBe(8);
    expect(healthy.got).toEqual(['toConnect']);
    silent[0]?.turn.saved();
    await later(0);
    expect(healthy.got).toEqual(all);
  });

  it('does not come before the one before it is saved, where that was answered at the last moment', async () => {
    const silent = Array.from({ length: 9 }, () => enter());
    const healthy = enter();
    await later(60_000);
    silent[8]?.turn.answered();
    silent[0]?.turn.saved();
    await later(60_000);
    expect(healthy.got).toEqual(['toConnect', 'toMark']);
  });

  it('is waited for where the mail server is slow with every mail, so that few are unsaved', async () => {
    const passed = async (tookMs: number) => {
      const { turn } = enter();
      await later(tookMs);
      turn.answered();
      turn.saved();
      await later(0);
    };
    await passed(900);
    const [slow, next] = [enter(), enter()];
    await later(1799);
    expect(next.got).toEqual(['toConnect']);
    await later(1);
    expect(next.got).toEqual(all);
    for (const { turn } of [slow, next]) turn.saved();
    await later(0);

    await passed(30_000);
    const [slowest, after] = [enter(), enter()];
    await later(9999);
    expect(after.got).toEqual(['toConnect']);
    await later(1);
    expect(after.got).toEqual(all);
    for (const { turn } of [slowest, after]) turn.saved();
    await later(0);

    await passed(10);
    const [silent, healthy] = [enter(), enter()];
    await later(1000);
    expect([silent.got, healthy.got]).toEqual([all, all]);
  });
});

describe('the turns of announcements', () => {
  it('leave a connection to other mail, which waits for none of their answers', async () => {
    turns = createHandoverTurns({ connections: 3, maxUnsaved: 1 });
    const announcements = Array.from({ length: 5 }, () => enter('announcement'));
    await later(0);
    expect(announcements.map(({ got }) => got)).toEqual([all, ['toConnect'], [], [], []]);
    const code = enter();
    await later(0);
    expect(code.got).toEqual(all);
  });

  it('come after those of other mail that waits for a connection', async () => {
    const codes = Array.from({ length: 3 }, () => enter());
    const announcement = enter('announcement');
    const late = enter();
    await later(0);
    expect([...codes, announcement, late].map(({ got }) => got.length > 0)).toEqual([true, true, false, false, false]);
    for (const { turn } of codes.slice(0, 2)) {
      turn.answered();
      turn.saved();
    }
    await later(0);
    expect([codes[2]?.got[0], announcement.got, late.got]).toEqual(['toConnect', [], ['toConnect']]);
    codes[2]?.turn.saved();
    await later(0);
    expect(announcement.got).toEqual(all);
  });

  it('hold up nobody else however many of them have no answer', async () => {
    turns = createHandoverTurns({ connections: 3, maxUnsaved: 1 });
    for (let count = 0; count < 20; count += 1) enter('announcement');
    await later(60_000);
    expect(turns.overdue('announcement')).toBe(3);
    expect(turns.overdue('transactional')).toBe(0);
    const code = enter();
    await later(0);
    expect(code.got).toEqual(all);
  });

  it('have the only connection too, where there is one', async () => {
    turns = createHandoverTurns({ connections: 1, maxUnsaved: 1 });
    const announcement = enter('announcement');
    await later(0);
    expect(announcement.got).toEqual(all);
  });
});
