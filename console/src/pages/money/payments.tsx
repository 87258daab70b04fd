import type { Payment } from '@storefront/client';
import { api, mayCall } from '../../api/client.ts';
import { ago, money } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Badge, PageHead, Tabs } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { useRole } from '../../shell/session.ts';

/** The pages about money. */
export function MoneyTabs({ current }: { current: string }) {
  const role = useRole();
  const tabs = [
    ['/invoices', t.trade.invoices],
    ['/invoices/payments', t.money.payments],
    ...(mayCall('listCallbacks', role) ? [['/invoices/callbacks', t.money.callbacks] as const] : []),
  ] as const;
  return <Tabs label={t.pages.invoices} current={current} tabs={tabs} />;
}

export function Payments() {
  return (
    <>
      <PageHead title={t.money.payments} sub={t.money.sub} />
      <MoneyTabs current="/invoices/payments" />
      <DataTable<Payment, Parameters<typeof api.payments.listPayments>[0]>
        list={api.payments.listPayments}
        label={t.money.payments}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/invoices/payments/${id}`}
        columns={[
          { title: t.money.payment, isName: true, cell: ({ id }) => <span className="mono">{id.slice(0, 16)}…</span> },
          { title: t.when, cell: ({ createdAt }) => ago(createdAt) },
          { title: t.money.provider, cell: ({ provider }) => provider },
          { title: t.status, cell: ({ status }) => <Badge value={status} /> },
          { title: t.money.asked, align: 'end', cell: ({ amount }) => money(amount) },
          { title: t.money.received, align: 'end', cell: ({ received }) => money(received) },
          { title: t.money.open, align: 'end', cell: ({ remainder }) => money(remainder) },
        ]}
      />
    </>
  );
}
