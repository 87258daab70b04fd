import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHandoverTurns } from './handover-turns.ts';
import type { HandoverTurn, HandoverTurns } from './handover-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let turns: HandoverTurns;
beforeEach(() => {
  turns = createHandoverTurns({ connections: 2, maxUnsaved: 1 });
});

/** The turn of a mail, and which of its places it has got. */
function enter(): { turn: HandoverTurn; got: string[] } {
  const turn = turns.next();
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
    const silent = Array.from({ length: 3 }, enter);
    const healthy = enter();
    await later(2999);
    expect(silent.map(({ got }) => got)).toEqual([all, all, all]);
    expect(turns.overdue()).toBe(2);
    expect(healthy.got).toEqual(['toConnect']);
    await later(1);
    expect(healthy.got).toEqual(all);
    expect(turns.overdue()).toBe(3);
    for (const { turn } of silent) turn.saved();
    await later(0);
    expect(turns.overdue()).toBe(0);
  });

  it('does not come where too many are without an answer, until one of these is over', async () => {
    const silent = Array.from({ length: 9 }, enter);
    const healthy = enter();
    await later(60_000);
    expect(turns.overdue()).toBe(8);
    expect(healthy.got).toEqual(['toConnect']);
    silent[0]?.turn.saved();
    await later(0);
    expect(healthy.got).toEqual(all);
  });

  it('does not come before the one before it is saved, where that was answered at the last moment', async () => {
    const silent = Array.from({ length: 9 }, enter);
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
