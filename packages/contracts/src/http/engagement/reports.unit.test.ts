import { expect, test } from 'vitest';
import { z } from 'zod';
import { reports, type ReportName } from './report-list.ts';
import { describedReports } from './reports.ts';

test('every report is described by itself, with the fields of its rows and no others', () => {
  const described = describedReports.options.map(({ shape }) => [
    shape.report.value,
    Object.keys(shape.rows.element.shape),
    Object.keys(shape.totals.shape),
  ]);
  const declared = Object.entries(reports).map(([name, { things, measures }]) => [
    name,
    ['start', 'segment', ...things, ...Object.keys(measures)],
    Object.keys(measures),
  ]);
  expect(described).toEqual(declared);
});

test('its example is one of them', () => {
  const { examples = [] } = z.globalRegistry.get(describedReports) as { examples?: unknown[] };
  expect(examples).not.toEqual([]);
  for (const example of examples) expect(describedReports.parse(example)).toEqual(example);
});

test('a row of one report is none of another', () => {
  const sales = describedReports.options.find(({ shape }) => shape.report.value === 'sales') as z.ZodType;
  const [example] = (z.globalRegistry.get(describedReports) as { examples: object[] }).examples;
  const other: ReportName = 'robots';
  expect(sales.safeParse({ ...example, report: other }).success).toBe(false);
});
