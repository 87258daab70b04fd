import { engagementHttp } from '@storefront/contracts';
import { rowKey, type ExpectedReport } from './expected/expected-report.ts';
import { amounts, type Measures } from './expected/measures.ts';
import { isAboutThings, mostThings, type Question } from './expected/question.ts';

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
 * which nothing is left may be listed or not. Where people were erased, `least` is what must be there without them: a number
 * of people may be any one between the two, and a share of them is not judged where the two differ.
 */
export function compareReport(
  question: Question,
  answer: ReportAnswer,
  expected: ExpectedReport,
  least: ExpectedReport = expected,
): Comparison {
  const differences: string[] = [];
  let cells = 0;
  const isOfThings = isAboutThings(question.report);
  const say = (where: string, measure: string, found: unknown, right: unknown) =>
    differences.push(
      `${JSON.stringify(question)} ${where} ${measure}: ${JSON.stringify(found)}, not ${JSON.stringify(right)}`,
    );

  function compare(where: string, found: Row | undefined, right: Measures, leastRight: Measures = right): void {
    for (const [measure, value] of Object.entries(right)) {
      cells += 1;
      const zero = value === null ? null : 0;
      const stated = plain(found?.[measure], amounts.has(measure) ? question.currency : null);
      const cell = found === undefined && isOfThings ? zero : stated;
      if (!isBetween(cell, leastRight[measure] ?? null, value)) say(where, measure, cell, value);
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
    if (found !== undefined || !isCut) compare(key, found, right, least.rows.get(key));
  }
  for (const [key, row] of rows)
    if (!expected.rows.has(key) && !(isOfThings && isNothing(row))) say(key, 'row', row, 'none');
  compare('totals', answer.totals, expected.totals, least.totals);
  if (expected.previous) {
    compare('totals before', answer.previous?.totals, expected.previous.totals, least.previous?.totals);
    for (const day of ['from', 'to'] as const)
      if (answer.previous?.[day] !== expected.previous[day])
        say('the days before', day, answer.previous?.[day], expected.previous[day]);
  }
  return { cells, differences };
}

function isBetween(found: unknown, least: number | null, most: number | null): boolean {
  if (found === most || found === least) return true;
  if (least === most || typeof found !== 'number') return false;
  const isShare = ![least, most].every((value) => value === null || Number.isInteger(value));
  return isShare || ((least ?? 0) <= found && found <= (most ?? 1));
}

function thingOf(row: Row): string {
  const { name: _name, ...fields } = engagementHttp.thingFields;
  const named = Object.keys(fields).map((field) => row[field]);
  return named.filter((value) => typeof value === 'string').join(' ');
}

function isNothing(row: Row): boolean {
  return Object.values(row).every((value) => {
    const number = isMoney(value) ? value.amount : value;
    return typeof number !== 'number' || number === 0;
  });
}

/** The amount of money in that currency; anything else than such money is returned as it is, and is a difference. */
function plain(cell: unknown, currency: string | null): unknown {
  if (currency === null || cell === null) return cell;
  return isMoney(cell) && cell.currency === currency ? cell.amount : { notMoney: cell };
}

function isMoney(cell: unknown): cell is { readonly amount: number; readonly currency: string } {
  return typeof cell === 'object' && cell !== null && 'amount' in cell && 'currency' in cell;
}
