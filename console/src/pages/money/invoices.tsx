import type { Invoice } from '@storefront/client';
import { api } from '../../api/client.ts';
import { date, money } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Badge, PageHead } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { MoneyTabs } from './payments.tsx';

export function Invoices() {
  return (
    <>
      <PageHead title={t.pages.invoices} sub={t.money.invoicesSub} />
      <MoneyTabs current="/invoices" />
      <DataTable<Invoice, Parameters<typeof api.invoices.listInvoices>[0]>
        list={api.invoices.listInvoices}
        label={t.trade.invoices}
        keyOf={({ id }) => id}
        linkOf={({ accountId, id }) => `/trade/${accountId}/invoices/${id}`}
        empty={t.trade.noInvoices}
        columns={[
          { title: t.orders.number, isName: true, cell: ({ number }) => number },
          { title: t.trade.business, cell: ({ buyer }) => buyer.businessName },
          { title: t.trade.issued, cell: ({ issuedOn }) => date(issuedOn) },
          { title: t.trade.due, cell: ({ dueOn }) => date(dueOn) },
          { title: t.status, cell: ({ status }) => <Badge value={status} /> },
          { title: t.total, align: 'end', cell: ({ total }) => money(total) },
          { title: t.trade.balance, align: 'end', cell: ({ balance }) => money(balance) },
        ]}
      />
    </>
  );
}
