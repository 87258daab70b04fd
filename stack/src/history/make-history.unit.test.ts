import { expect, test } from 'vitest';
import { edgeHistory } from '../../../test/analytics/edge-history.ts';
import { makeHistory, type HistoryOptions } from './make-history.ts';

const options = { seed: 7, size: 2000, end: new Date('2026-11-20T00:00:00Z'), days: 400 };
const dayMs = 86_400_000;

function allOf(changed: Partial<HistoryOptions> = {}) {
  const parts = [...makeHistory({ ...options, ...changed })];
  return { parts, events: parts.flatMap(({ events }) => events), visits: parts.flatMap(({ visits }) => visits) };
}

test('the same seed gives the same history, and another seed another one', () => {
  const { events, visits } = allOf();
  expect(allOf()).toMatchObject({ events, visits });
  const others = new Set(allOf({ seed: 8 }).events.map(({ id }) => id));
  expect(events.filter(({ id }) => others.has(id))).toEqual([]);
});

test('a history that ends later has the same events on the same days, but for those of visits', () => {
  const idsOf = (end: string) =>
    allOf({ end: new Date(end) }).events.flatMap(({ id, time }) =>
      time > '2026-01-01' && time < '2026-10-01' ? id : [],
    );
  const earlier = idsOf('2026-11-20T00:00:00Z');
  expect(earlier.length).toBeGreaterThan(500);
  expect(idsOf('2026-11-25T00:00:00Z')).toEqual(earlier);
});

test('it has about as many events as were requested, each once and in the part of its day, more in winter than in summer', () => {
  const { parts, events, visits } = allOf({ size: 8000 });
  expect(Math.abs((events.length + visits.length) / 8000 - 1)).toBeLessThan(0.15);
  expect(new Set([...events, ...visits.map(({ event }) => event)].map(({ id }) => id)).size).toBe(
    events.length + visits.length,
  );
  const start = options.end.getTime() - options.days * dayMs;
  for (const [part, { events: ofDay }] of parts.entries())
    for (const { time } of ofDay) expect(Math.floor((Date.parse(time) - start) / dayMs)).toBe(part);
  const inMonth = (month: string) => events.filter(({ time }) => time.startsWith(month)).length;
  expect(inMonth('2025-12') / inMonth('2026-07')).toBeGreaterThan(1.3);
});

test('close to the edges it has events of all kinds that reports are about, on both sides of New Year', () => {
  const { events } = edgeHistory(options);
  expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThanOrEqual(22);
  const times = events.map(({ time }) => time);
  expect(times.filter((time) => time.startsWith('2025-12-31')).length).toBeGreaterThan(5);
  expect(times.filter((time) => time.startsWith('2026-01-01')).length).toBeGreaterThan(5);
});

test('what users sent is of the last 29 days, and what clients without a token sent of the day that begins with the end', () => {
  for (const visits of [allOf({ size: 8000 }).visits, edgeHistory(options).visits]) {
    expect(new Set(visits.map(({ event }) => event.type)).size).toBe(6);
    const end = options.end.getTime();
    const [ofUsers = [], ofOthers = []] = [true, false].map((hasToken) =>
      visits.filter(({ by }) => (by !== null && 'userId' in by) === hasToken).map(({ event }) => Date.parse(event.at)),
    );
    for (const [times, from, to, least] of [
      [ofUsers, end - 29 * dayMs, end, 100],
      [ofOthers, end, end + dayMs, 10],
    ] as const) {
      expect(times.length).toBeGreaterThan(least);
      expect(times.filter((time) => time < from || time >= to)).toEqual([]);
    }
  }
});
