import { expect, test } from 'vitest';
import { makeHistory } from './make-history.ts';

const options = { seed: 7, size: 2000, end: new Date('2026-11-20T12:00:00Z'), days: 400 };
const { events, visits } = makeHistory(options);

test('the same seed gives the same history', () => {
  expect(makeHistory(options)).toEqual({ events, visits });
  expect(makeHistory({ ...options, seed: 8 }).events[0]).not.toEqual(events[0]);
});

test('it has events of all kinds that reports are about, each once, on both sides of New Year', () => {
  expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThanOrEqual(25);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const times = events.map(({ time }) => time);
  expect(times.filter((time) => time.startsWith('2025-12-31')).length).toBeGreaterThan(5);
  expect(times.filter((time) => time.startsWith('2026-01-01')).length).toBeGreaterThan(5);
});

test('what users told is of the last 29 days, and what clients without a token told of the day that begins with the end', () => {
  expect(new Set(visits.map(({ event }) => event.type)).size).toBe(6);
  const end = options.end.getTime();
  const dayMs = 86_400_000;
  const [ofUsers = [], ofOthers = []] = [true, false].map((hasToken) =>
    visits.filter(({ by }) => (by !== null && 'userId' in by) === hasToken).map(({ event }) => Date.parse(event.at)),
  );
  for (const [times, from, to] of [
    [ofUsers, end - 29 * dayMs, end],
    [ofOthers, end, end + dayMs],
  ] as const) {
    expect(times.length).toBeGreaterThan(100);
    expect(times.filter((time) => time < from || time >= to)).toEqual([]);
  }
});
