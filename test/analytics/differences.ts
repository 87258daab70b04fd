import { rowKey } from './expected/expected-report.ts';
import type { ExpectedReport } from './expected/expected-report.ts';
import type { Measures } from './expected/measures.ts';
import { ofThings } from './expected/question.ts';
import type { Question } from './expected/question.ts';

type Row = Readonly<Record<string, unknown>>;

/** An answer of the API that is a report. */
export interface ReportAnswer {
  readonly rows: readonly Row[];
  readonly totals: Row;
  readonly previous?: { readonly from: string; readonly to: string; readonly totals: Row };
}

/** Each cell of the answer that is not as expected, in words; and how many cells there were. */
export interface Comparison {
  readonly cells: number;
  readonly differences: readonly string[];
}

/**
 * Compares every cell of rows and totals. Of a report about things a row that is left out counts as one of zeros, as a thing of
 * which nothing is left may be listed or not; `mostThings` is how many things an answer has at most.
 */
export function compareReport(
  question: Question,
  answer: ReportAnswer,
  expected: ExpectedReport,
  mostThings = 100,
): Comparison {
  const differences: string[] = [];
  let cells = 0;
  const isOfThings = ofThings.includes(question.report);
  const say = (where: string, measure: string, found: unknown, right: unknown) =>
    differences.push(
      `${JSON.stringify(question)} ${where} ${measure}: ${JSON.stringify(found)}, not ${JSON.stringify(right)}`,
    );

  function compare(where: string, found: Row | undefined, right: Measures): void {
    for (const [measure, value] of Object.entries(right)) {
      cells += 1;
      const isNothing = found === undefined && isOfThings && (value === 0 || value === null);
      if (!isNothing && found?.[measure] !== value) say(where, measure, found?.[measure], value);
    }
  }

  const rows = new Map<string, Row>();
  for (const row of answer.rows) {
    const key = rowKey(String(row['start']), String(row['segment']), thingOf(row));
    if (rows.has(key)) say(key, 'row', 'twice', 'once');
    rows.set(key, row);
  }
  const isCut = new Set(answer.rows.map(thingOf)).size >= mostThings;
  for (const [key, right] of expected.rows) {
    const found = rows.get(key);
    if (found !== undefined || !isCut) compare(key, found, right);
  }
  for (const [key, row] of rows)
    if (!expected.rows.has(key) && !(isOfThings && isNothing(row))) say(key, 'row', row, 'none');
  compare('totals', answer.totals, expected.totals);
  if (expected.previous) {
    compare('totals before', answer.previous?.totals, expected.previous.totals);
    for (const day of ['from', 'to'] as const)
      if (answer.previous?.[day] !== expected.previous[day])
        say('the days before', day, answer.previous?.[day], expected.previous[day]);
  }
  return { cells, differences };
}

function thingOf({ productId, campaignId, channel, type, words }: Row): string {
  return String(
    productId ?? campaignId ?? words ?? (channel === undefined ? '' : `${String(channel)} ${String(type)}`),
  );
}

function isNothing(row: Row): boolean {
  return Object.values(row).every((value) => typeof value !== 'number' || value === 0);
}
