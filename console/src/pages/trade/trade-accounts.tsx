import type { TradeAccount } from '@storefront/client';
import { api } from '../../api/client.ts';
import { ago } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Badge, PageHead } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';

export function TradeAccounts() {
  return (
    <>
      <PageHead title={t.pages.trade} sub={t.trade.sub} />
      <DataTable<TradeAccount, Parameters<typeof api.tradeAccounts.listTradeAccounts>[0]>
        list={api.tradeAccounts.listTradeAccounts}
        label={t.pages.trade}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/trade/${id}`}
        columns={[
          { title: t.trade.business, isName: true, cell: ({ trade }) => trade.businessName },
          { title: t.name, cell: ({ firstName, lastName }) => `${firstName} ${lastName}` },
          { title: t.email, cell: ({ email }) => email },
          { title: t.trade.country, cell: ({ trade }) => trade.country ?? '–' },
          { title: t.trade.submitted, cell: ({ trade }) => ago(trade.submittedAt) },
          { title: t.status, cell: ({ status }) => <Badge value={status} /> },
        ]}
      />
    </>
  );
}
