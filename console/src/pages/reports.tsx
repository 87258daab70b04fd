import { useParams, useRouter } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useRead } from '../api/reads.ts';
import { dayFromToday, money, number, percent, type Money } from '../format.ts';
import { t, wordFor } from '../language/index.ts';
import { saveFile } from '../parts/action.tsx';
import { Button, Card, Grid, Loading, PageHead, Problem, Stack, Stat } from '../parts/basics.tsx';
import { Chart } from '../parts/chart.tsx';
import { Choice, DayField, Two } from '../parts/form.tsx';
import { useSearchState } from '../parts/search.ts';
import { SnippetMenu } from '../parts/snippet-menu.tsx';
import tables from '../parts/table.module.css';

const reports = [
  'summary',
  'sales',
  'orders',
  'products',
  'campaigns',
  'funnel',
  'searches',
  'wishlists',
  'registrations',
  'notifications',
  'receivables',
  'robots',
] as const;
type ReportName = (typeof reports)[number];
const intervals = ['hour', 'day', 'week', 'month'] as const;
const segments = ['trade', 'retail', 'guest'] as const;

type Value = number | Money | string | null;
type Measures = Readonly<Record<string, Value>>;
/** What all reports have in common. */
interface AnyReport {
  readonly currency: string | null;
  readonly interval: string | null;
  readonly rows: readonly Measures[];
  readonly totals: Measures;
  readonly previous?: { readonly totals: Measures };
}

const dayOf = (daysAgo: number) => dayFromToday(-daysAgo);
const isMoney = (value: Value | undefined): value is Money => typeof value === 'object' && value !== null;
const notMeasures = new Set([
  'start',
  'segment',
  'productId',
  'variantId',
  'campaignId',
  'name',
  'channel',
  'type',
  'words',
]);

function shown(name: string, value: Value | undefined): string {
  if (value === null || value === undefined) return '–';
  if (isMoney(value)) return money(value);
  if (typeof value === 'string') return value;
  return name.endsWith('Share') || name.startsWith('share') ? percent(value) : number(value);
}

const measureName = (name: string): string =>
  wordFor(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** A report as figures, plot and table; what it is about is in the address. */
export function Reports() {
  const { report = 'sales' } = useParams({ strict: false });
  const router = useRouter();
  const [search, change] = useSearchState();
  const name = reports.find((one) => one === report) ?? 'sales';
  const query = {
    from: search.from ?? dayOf(29),
    to: search.to ?? dayOf(-1),
    compare: 'previous' as const,
    ...(intervals.some((one) => one === search.interval) && {
      interval: search.interval as (typeof intervals)[number],
    }),
    ...(segments.some((one) => one === search.segment) && { segment: search.segment as (typeof segments)[number] }),
  };
  const { data, error, refetch } = useRead(api.analytics.getAnalyticsReport, { params: { report: name }, query });
  return (
    <>
      <PageHead title={t.reports.names[name]} sub={t.reports.sub}>
        <Button
          icon="download"
          onClick={() =>
            void saveFile(
              `${name}-${query.from}-${query.to}.csv`,
              api.analytics.getAnalyticsReport.response({
                params: { report: name },
                query: { ...query, format: 'csv' },
              }),
            )
          }
        >
          CSV
        </Button>
        <SnippetMenu
          snippet={() => ({ area: 'analytics', id: 'getAnalyticsReport', input: { params: { report: name }, query } })}
        />
      </PageHead>
      <Stack>
        <Card>
          <Two>
            <Choice<ReportName>
              label={t.reports.report}
              value={name}
              onChange={(next) => void router.navigate({ to: `/reports/${next}`, search })}
              choices={reports.map((one) => [one, t.reports.names[one]])}
            />
            <DayField label={t.from} value={query.from} onChange={(from) => change({ from })} />
            <DayField label={t.until} value={query.to} onChange={(to) => change({ to })} />
            <Choice
              label={t.reports.interval}
              value={search.interval ?? ''}
              onChange={(interval) => change({ interval })}
              choices={[['', t.reports.usual], ...intervals.map((one) => [one, wordFor(one)] as const)]}
            />
            <Choice
              label={t.reports.segment}
              value={search.segment ?? ''}
              onChange={(segment) => change({ segment })}
              choices={[['', t.any], ...segments.map((one) => [one, wordFor(one)] as const)]}
            />
          </Two>
        </Card>
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : data ? (
          <Content report={data} />
        ) : (
          <Loading lines={10} />
        )}
      </Stack>
    </>
  );
}

function Content({ report }: { report: AnyReport }) {
  const { rows, totals, previous } = report;
  const [search, change] = useSearchState();
  const measures = Object.keys(totals);
  const measure =
    measures.find((one) => one === search.measure) ?? measures.find((one) => isMoney(totals[one])) ?? measures[0] ?? '';
  const columns = Object.keys(rows[0] ?? {}).filter((name) => !name.endsWith('Id'));
  return (
    <>
      <Grid>
        {measures.map((name) => (
          <Stat
            key={name}
            label={measureName(name)}
            value={shown(name, totals[name])}
            sub={previous && t.reports.before(shown(name, previous.totals[name]))}
          />
        ))}
      </Grid>
      {report.interval !== null && rows.length > 0 && (
        <Card title={measureName(measure)}>
          <Stack>
            <Choice
              label={t.reports.measure}
              value={measure}
              onChange={(next) => change({ measure: next })}
              choices={measures.map((one) => [one, measureName(one)] as const)}
            />
            <Plot report={report} measure={measure} />
          </Stack>
        </Card>
      )}
      <Card title={t.reports.rows}>
        {/* oxlint-disable-next-line no-noninteractive-tabindex -- it can be scrolled by the keyboard */}
        <div className={tables.scroll} tabIndex={0} role="region" aria-label={t.reports.rows}>
          <table className={tables.table}>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col" data-align={notMeasures.has(name) ? undefined : 'end'}>
                    {measureName(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, 100).map((row, at) => (
                <tr key={at}>
                  {columns.map((name) => (
                    <td key={name} data-align={notMeasures.has(name) ? undefined : 'end'}>
                      {shown(name, row[name])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {rows.length > 100 && <p className="muted">{t.reports.first(100, rows.length)}</p>}
      </Card>
    </>
  );
}

function Plot({ report: { rows, currency }, measure }: { report: AnyReport; measure: string }) {
  const starts = [...new Set(rows.map(({ start }) => shown('start', start)))];
  const parts = segments.filter((segment) => rows.some((row) => row.segment === segment));
  const valueOf = (start: string, segment: string): number | null => {
    const found = rows.filter((row) => row.start === start && row.segment === segment).map((row) => row[measure]);
    const numbers = found.flatMap((value) =>
      isMoney(value) ? [value.amount] : typeof value === 'number' ? [value] : [],
    );
    return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0);
  };
  const isAmount = rows.some((row) => isMoney(row[measure]));
  const show = (value: number) =>
    isAmount && currency !== null
      ? money({ amount: Math.round(value), currency })
      : shown(measure, Math.round(value * 100) / 100);
  return (
    <Chart
      title={measureName(measure)}
      labels={starts.map((start) => (start.length > 10 ? start.slice(5, 16).replace('T', ' ') : start.slice(5)))}
      series={parts.map((segment) => ({
        name: wordFor(segment),
        values: starts.map((start) => valueOf(start, segment)),
      }))}
      show={show}
    />
  );
}
