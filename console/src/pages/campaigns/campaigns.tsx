import type { Campaign } from '@storefront/client';
import { api, mayCall } from '../../api/client.ts';
import { date, money } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { Badge, LinkButton, PageHead } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { useRole } from '../../shell/session.ts';

/** What a discount takes off, in a few words. */
export function discountInWords({ discount }: Pick<Campaign, 'discount'>): string {
  if (discount.type === 'percentage') return t.campaigns.percent(discount.percent ?? 0);
  if (discount.type === 'fixed-amount') return money(discount.amount);
  return wordFor(discount.type);
}

export function Campaigns() {
  const role = useRole();
  return (
    <>
      <PageHead title={t.pages.campaigns} sub={t.campaigns.sub}>
        {mayCall('createCampaign', role) && (
          <LinkButton to="/campaigns/new" icon="plus">
            {t.campaigns.new}
          </LinkButton>
        )}
      </PageHead>
      <DataTable<Campaign, Parameters<typeof api.campaigns.listCampaigns>[0]>
        list={api.campaigns.listCampaigns}
        label={t.pages.campaigns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        linkOf={({ id }) => `/campaigns/${id}`}
        columns={[
          { title: t.name, isName: true, cell: ({ name }) => name },
          { title: t.campaigns.discount, cell: discountInWords },
          { title: t.campaigns.trigger, cell: ({ trigger }) => wordFor(trigger) },
          { title: t.campaigns.forWhom, cell: ({ conditions }) => wordFor(conditions.segment) },
          { title: t.campaigns.ends, cell: ({ conditions }) => date(conditions.endsAt) },
          { title: t.status, cell: ({ status }) => <Badge value={status} /> },
        ]}
        bulk={
          mayCall('pauseCampaign', role)
            ? [
                {
                  title: t.campaigns.pause,
                  whyNot: ({ status }) =>
                    status === 'active' || status === 'scheduled' ? null : t.campaigns.notActive,
                  run: ({ id }) => api.campaigns.pauseCampaign({ params: { id } }),
                },
              ]
            : []
        }
      />
    </>
  );
}
