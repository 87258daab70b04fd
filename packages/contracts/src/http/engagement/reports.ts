import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { currencyPattern, digits, timestamp, timeZone } from '../common.ts';
import { csvDialect } from '../csv.ts';
import { operation, operationsOf } from '../operation.ts';
import { measureSchemas, reports, reportSegment, thingFields, type ReportName } from './report-list.ts';

const reportNames = Object.keys(reports) as [ReportName, ...ReportName[]];
const reportName = z
  .enum(reportNames)
  .meta({ description: 'The name of the report; any other one is 404.', examples: ['sales'] });
const reportParams = z.strictObject({ report: reportName });

// Years must have four digits, so that days can be compared as text. For other years there is nothing to report.
const day = z.iso
  .date({ abort: true })
  .refine((date) => /^2\d{3}-/.test(date), { error: 'must be from 2000-01-01 to 2999-12-31' })
  .meta({ format: 'date', examples: ['2026-11-23'] });
const interval = z.enum(['hour', 'day', 'week', 'month']);
const funnelWindow = z.enum(['1d', '7d', '30d']);
const order = z.enum(['revenue', 'units', 'views', 'wishlists']);

export const reportQuery = z
  .strictObject({
    from: day.optional().meta({
      description: 'From this day on, in `timezone`; 30 days before `to` where it is left out.',
      examples: ['2026-11-01'],
    }),
    to: day.optional().meta({
      description: 'Before this day; tomorrow where it is left out.',
      examples: ['2026-12-01'],
    }),
    interval: interval.optional().meta({
      description:
        'Rows for each hour, day, week from Monday on, or month: 400 at most. By default days; ' +
        `${namesOf(({ things }) => things.length > 0)} have one row for the whole time by default.`,
      examples: ['week'],
    }),
    timezone: timeZone
      // Refuses offsets such as `+00:07`, which some platforms accept as names of time zones.
      .refine((name) => /^[a-z]/i.test(name), { error: 'must be an IANA time zone' })
      .optional()
      .meta({
        description: "The IANA time zone of days and hours; the shop's where it is left out.",
        examples: ['Europe/Berlin'],
      }),
    segment: reportSegment.optional().meta({ description: 'Of this segment alone.', examples: ['trade'] }),
    currency: z
      .string()
      .regex(currencyPattern)
      .optional()
      .meta({
        description: "Of amounts and orders in this currency alone (ISO 4217); the shop's where it is left out.",
        examples: ['EUR'],
      }),
    compare: z
      .enum(['previous'])
      .optional()
      .meta({ description: 'The totals of as many days before, too.', examples: ['previous'] }),
    format: z
      .enum(['json', 'csv'])
      .default('json')
      .meta({
        description: 'CSV has the rows alone, with amounts in major units and a column `currency`.',
        examples: ['json'],
      }),
    dialect: csvDialect,
    by: order.optional().meta({
      description: 'For `products`: those with most of this come first. By default `revenue`.',
      examples: ['units'],
    }),
    limit: digits(1, 100)
      .optional()
      .meta({
        description: `For ${namesOf(({ takes }) => takes.includes('limit'))}: how many of them, 20 by default.`,
        examples: [50],
      }),
    productId: idSchema('prod').optional().meta({
      description: 'For `variants`, which needs it: the product that the variants are of.',
    }),
    window: funnelWindow.optional().meta({
      description:
        'For `funnel`: how long after the view, or the change of the cart, all steps must be. By default `7d`.',
      examples: ['7d'],
    }),
  })
  .superRefine(
    ({ from, to }, context) => {
      if (!from || !to || from < to) return;
      context.addIssue({ code: 'custom', path: ['from'], message: 'must be before `to`' });
      context.addIssue({ code: 'custom', path: ['to'], message: 'must be after `from`' });
    },
    // The order of the days is checked even if other parameters are wrong, so that one answer lists all errors.
    { when: ({ value }) => z.object({ from: day, to: day }).safeParse(value).success },
  );
export type ReportQuery = z.output<typeof reportQuery>;

const measures = z.object(measureSchemas).partial();

const start = z.string().meta({
  description: 'Where the row begins: a day, or with `interval=hour` a time with the offset of the zone.',
  examples: ['2026-11-23', '2026-11-23T09:00:00+01:00'],
});
const span = {
  from: day,
  to: day,
  interval: interval.nullable().meta({ description: 'null where rows are for the whole time.' }),
  timezone: z.string(),
  currency: z.string().nullable().meta({ description: 'Of all orders and amounts; null where the report has none.' }),
  asOf: timestamp.meta({
    description: 'Everything that was known to the services before this time is in the report.',
  }),
};
const previousMeta = { description: 'Where `compare=previous` was asked for.' };

/** A row of any report. */
export const reportRow = z.object({
  start,
  segment: reportSegment,
  ...z.object(thingFields).partial().shape,
  ...measures.shape,
});

/** Any report, for writing answers. */
export const report = z.object({
  report: reportName,
  ...span,
  rows: z.array(reportRow),
  totals: measures,
  previous: z.object({ from: day, to: day, totals: measures }).optional(),
});

/** The schema of one report: exactly the fields that its rows have. */
function describedReport(name: ReportName) {
  const { measures: own, segments, things } = reports[name];
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}Report`;
  const totals = z.object(own).meta({
    id: `${title}Totals`,
    description: 'Each person counts once; what is open is what is open at the end.',
  });
  const row = z
    .object({
      start,
      segment: z.enum(segments),
      ...Object.fromEntries(things.map((thing) => [thing, thingFields[thing]])),
      ...own,
    })
    .meta({
      id: `${title}Row`,
      description: 'Where, of whom and of what it is, and its measures. Where nothing happened there are zeros.',
    });
  return z
    .object({
      report: z.literal(name),
      ...span,
      rows: z.array(row),
      totals,
      previous: z.object({ from: day, to: day, totals }).optional().meta(previousMeta),
    })
    .meta({ id: title });
}

const exampleMeasures = {
  orders: 4,
  units: 60,
  gross: { amount: 120_000, currency: 'EUR' },
  discount: { amount: 12_000, currency: 'EUR' },
  net: { amount: 108_000, currency: 'EUR' },
  averageOrder: { amount: 27_000, currency: 'EUR' },
  returningShare: 0.75,
};

/** Every report by itself, for the API document. */
export const describedReports = z.union(reportNames.map(describedReport)).meta({
  id: 'Report',
  examples: [
    {
      report: 'sales',
      from: '2026-11-23',
      to: '2026-11-24',
      interval: 'day',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      asOf: '2026-11-23T17:41:05.120Z',
      rows: [
        {
          start: '2026-11-23',
          segment: 'trade',
          ...exampleMeasures,
        },
      ],
      totals: exampleMeasures,
      previous: {
        from: '2026-11-22',
        to: '2026-11-23',
        totals: {
          orders: 0,
          units: 0,
          gross: { amount: 0, currency: 'EUR' },
          discount: { amount: 0, currency: 'EUR' },
          net: { amount: 0, currency: 'EUR' },
          averageOrder: null,
          returningShare: null,
        },
      },
    },
  ],
});
export type ReportBody = z.infer<typeof report>;
export type ReportRow = z.infer<typeof reportRow>;

/** The names of the reports that are so, in words: `a`, `b` and `c`. */
function namesOf(isSo: (report: (typeof reports)[ReportName]) => boolean): string {
  const names = reportNames.filter((name) => isSo(reports[name])).map((name) => `\`${name}\``);
  return new Intl.ListFormat('en-GB').format(names);
}

const reportList = reportNames
  .map((name) => `\`${name}\` (${Object.keys(reports[name].measures).join(', ')})`)
  .join('; ');

export const reportOperations = operationsOf(
  operation({
    id: 'getAnalyticsReport',
    method: 'GET',
    path: '/v1/analytics/reports/{report}',
    access: 'staff',
    roles: ['marketing'],
    scope: 'analytics:read',
    versioned: true,
    tags: ['analytics'],
    summary: 'Read a report',
    description:
      'A row for each interval and segment, and totals over all of them. An event is in its reports within seconds. Shares and ' +
      'averages are null where there is nothing to divide by. All amounts are in one currency. A parameter that the ' +
      `report does not take is refused. The tag stays the same while nothing but \`asOf\` changes. Reports and their measures: ${reportList}.`,
    params: reportParams,
    query: reportQuery,
    responses: {
      200: {
        description: 'The report.',
        body: report,
        described: describedReports,
        contentType: 'text/csv',
        headers: { 'Content-Disposition': 'A file name for the download, of CSV.' },
      },
    },
  }),
);
