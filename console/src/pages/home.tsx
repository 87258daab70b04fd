import { api, mayCall } from '../api/client.ts';
import { liveMs, useRead, type ReadCall } from '../api/reads.ts';
import { ago, dayFromToday, money, number, type Money } from '../format.ts';
import { t } from '../language/index.ts';
import { Badge, Card, Empty, Grid, PageHead, Problem, Stack, Stat } from '../parts/basics.tsx';
import { Chart } from '../parts/chart.tsx';
import { useRole, userOf, useSession } from '../shell/session.ts';

interface Queued {
  readonly createdAt?: string;
  /** When an invoice was due. */
  readonly dueAt?: string;
  readonly queue?: string;
  readonly outcome?: string;
}

interface Queue<Input> {
  readonly title: string;
  readonly to: string;
  readonly needs: string;
  readonly list: ReadCall<Input, { readonly data: readonly Queued[]; readonly nextCursor: string | null }>;
  readonly input: Input;
}

const atMost = 100;
const limit = atMost;

function queue<Input>(of: Queue<Input>): Queue<unknown> {
  return of as unknown as Queue<unknown>;
}

/** What waits for a person, the most urgent first. Each is the list behind its figure. */
const queues = (): readonly Queue<unknown>[] => [
  queue({
    title: t.home.stuck,
    to: '/orders?attention=stuck',
    needs: 'getPackingSlip',
    list: api.orders.listOrders,
    input: { query: { attention: 'stuck' as const, limit } },
  }),
  queue({
    title: t.home.disputed,
    to: '/orders?attention=disputed',
    needs: 'getPackingSlip',
    list: api.orders.listOrders,
    input: { query: { attention: 'disputed' as const, limit } },
  }),
  queue({
    title: t.home.refundFailed,
    to: '/orders?attention=refund-failed',
    needs: 'getPackingSlip',
    list: api.orders.listOrders,
    input: { query: { attention: 'refund-failed' as const, limit } },
  }),
  queue({
    title: t.home.applications,
    to: '/trade?status=pending-approval',
    needs: 'listTradeAccounts',
    list: api.tradeAccounts.listTradeAccounts,
    input: { query: { status: 'pending-approval' as const, limit } },
  }),
  queue({
    title: t.home.toShip,
    to: '/orders?fulfilment=open',
    needs: 'getPackingSlip',
    list: api.orders.listOrders,
    input: { query: { fulfilment: 'open' as const, limit } },
  }),
  queue({
    title: t.home.partlyShipped,
    to: '/orders?fulfilment=partial',
    needs: 'getPackingSlip',
    list: api.orders.listOrders,
    input: { query: { fulfilment: 'partial' as const, limit } },
  }),
  queue({
    title: t.home.returns,
    to: '/orders?return=requested',
    needs: 'getPackingSlip',
    list: api.orders.listOrders,
    input: { query: { return: 'requested' as const, limit } },
  }),
  queue({
    title: t.home.mails,
    to: '/deliveries?status=failed',
    needs: 'listDeliveries',
    list: api.notifications.listDeliveries,
    input: { query: { status: 'failed' as const, limit } },
  }),
  queue({
    title: t.home.overdue,
    to: '/invoices?status=overdue',
    needs: 'listInvoices',
    list: api.invoices.listInvoices,
    input: { query: { status: 'overdue' as const, limit } },
  }),
  queue({
    title: t.home.unallocated,
    to: '/invoices/payments?status=unallocated',
    needs: 'allocatePayment',
    list: api.payments.listPayments,
    input: { query: { status: 'unallocated' as const, limit } },
  }),
  queue({
    title: t.home.callbacks,
    to: '/invoices/callbacks?outcome=failed',
    needs: 'listCallbacks',
    list: api.payments.listCallbacks,
    input: { query: { outcome: 'failed' as const, limit } },
  }),
  queue({
    title: t.home.soldOut,
    to: '/catalog?inStock=false&status=active',
    needs: 'createProduct',
    list: api.products.listProducts,
    input: { query: { inStock: false, status: 'active' as const, limit } },
  }),
  queue({
    title: t.home.deadLetters,
    to: '/system/dead-letters',
    needs: 'listDeadLetters',
    list: api.deadLetters.listDeadLetters,
    input: { query: { limit } },
  }),
];

export function Home() {
  const session = useSession();
  const role = useRole();
  const user = userOf(session);
  if (!user) return null;
  const mine = queues().filter(({ needs }) => mayCall(needs, role));
  return (
    <>
      <PageHead title={t.home.hello(user.firstName)} badges={<Badge value={role} />} sub={t.home.sub} />
      <Stack>
        <section aria-label={t.home.waiting}>
          <Grid>
            {mine.map((one) => (
              <QueueStat key={one.to} queue={one} />
            ))}
          </Grid>
          {mine.length === 0 && <Empty title={t.home.nothingWaits} />}
        </section>
        {mayCall('getAnalyticsReport', role) && <Figures />}
      </Stack>
    </>
  );
}

function QueueStat({ queue: { title, to, list, input } }: { queue: Queue<unknown> }) {
  const { data, error } = useRead(list, input, { everyMs: liveMs });
  if (error)
    return (
      <Card title={title}>
        <Problem error={error} />
      </Card>
    );
  const rows = data?.data ?? [];
  const oldest = rows.flatMap(({ createdAt, dueAt }) => createdAt ?? dueAt ?? []).sort()[0];
  const count = data === undefined ? '…' : `${rows.length}${data.nextCursor === null ? '' : '+'}`;
  return (
    <Stat
      to={to}
      label={title}
      value={rows.length === 0 ? <span className="muted">{count}</span> : count}
      sub={rows.length === 0 ? (data ? t.home.done : ' ') : oldest ? t.home.oldest(ago(oldest)) : t.home.look}
    />
  );
}

const dayOf = (daysAgo: number) => dayFromToday(-daysAgo);

function Figures() {
  const query = { from: dayOf(6), to: dayOf(-1), compare: 'previous' as const };
  const { data, error } = useRead(api.analytics.getAnalyticsReport, { params: { report: 'orders' as const }, query });
  if (error) return <Problem error={error} />;
  if (!data || data instanceof Response) return null;
  const { rows, totals, previous, currency } = data as unknown as OrdersReport;
  const days = [...new Set(rows.map(({ start }) => start))];
  const sumOf = (day: string) =>
    rows.filter(({ start }) => start === day).reduce((sum, { placedValue }) => sum + placedValue.amount, 0);
  const before = (value: string) => t.home.before(value);
  return (
    <Card title={t.home.week}>
      <Stack>
        <Grid>
          <Stat
            to="/reports/orders"
            label={t.home.placed}
            value={number(totals.placed)}
            sub={previous && before(number(previous.totals.placed))}
          />
          <Stat
            to="/reports/sales"
            label={t.home.value}
            value={money(totals.placedValue)}
            sub={previous && before(money(previous.totals.placedValue))}
          />
          <Stat
            to="/reports/orders"
            label={t.home.refunded}
            value={money(totals.refunded)}
            sub={previous && before(money(previous.totals.refunded))}
          />
        </Grid>
        <Chart
          kind="bars"
          title={t.home.value}
          labels={days.map((day) => day.slice(5))}
          series={[{ name: t.home.value, values: days.map(sumOf) }]}
          show={(amount) => money({ amount: Math.round(amount), currency: currency ?? 'EUR' })}
        />
      </Stack>
    </Card>
  );
}

interface OrdersTotals {
  readonly placed: number;
  readonly placedValue: Money;
  readonly refunded: Money;
}
interface OrdersReport {
  readonly currency: string | null;
  readonly rows: readonly (OrdersTotals & { readonly start: string })[];
  readonly totals: OrdersTotals;
  readonly previous?: { readonly totals: OrdersTotals };
}
