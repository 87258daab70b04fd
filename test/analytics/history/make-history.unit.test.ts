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

test('what clients told is of the last 29 days', () => {
  expect(new Set(visits.map(({ event }) => event.type)).size).toBe(6);
  for (const { event } of visits) {
    expect(Date.parse(event.at)).toBeLessThan(options.end.getTime());
    expect(Date.parse(event.at)).toBeGreaterThan(options.end.getTime() - 29.01 * 86_400_000);
  }
});
