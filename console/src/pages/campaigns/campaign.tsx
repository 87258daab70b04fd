import type { Campaign as CampaignBody, CampaignCode, ItemSelector } from '@storefront/client';
import { useParams } from '@tanstack/react-router';
import { api, mayCall } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { dateTime, money, number } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { act, Action } from '../../parts/action.tsx';
import {
  A,
  Badge,
  Button,
  Card,
  Columns,
  Facts,
  Grid,
  Loading,
  PageHead,
  Problem,
  Stack,
  Stat,
  Timeline,
} from '../../parts/basics.tsx';
import { Chart } from '../../parts/chart.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { TextField, Two } from '../../parts/form.tsx';
import { useRole } from '../../shell/session.ts';
import { Announce } from './announce.tsx';
import { discountInWords } from './campaigns.tsx';

const steps = {
  activate: api.campaigns.activateCampaign,
  pause: api.campaigns.pauseCampaign,
  end: api.campaigns.endCampaign,
};
const possible: Readonly<Record<CampaignBody['status'], readonly (keyof typeof steps)[]>> = {
  draft: ['activate'],
  scheduled: ['pause', 'end'],
  active: ['pause', 'end'],
  paused: ['activate', 'end'],
  ended: [],
};

export function Campaign() {
  const { id = '' } = useParams({ strict: false });
  const role = useRole();
  const { data: campaign, error } = useRead(api.campaigns.getCampaign, { params: { id } });
  if (error) return <Problem error={error} />;
  if (!campaign) return <Loading lines={10} />;
  const may = mayCall('changeCampaign', role);
  const params = { id };
  const { conditions, limits } = campaign;
  return (
    <>
      <PageHead
        title={campaign.name}
        badges={<Badge value={campaign.status} />}
        sub={campaign.description ?? discountInWords(campaign)}
      >
        {may &&
          possible[campaign.status].map((step) =>
            step === 'end' ? (
              <Action
                key={step}
                title={t.campaigns.end}
                tone="danger"
                initial={{}}
                fields={() => <p>{t.campaigns.endWhy}</p>}
                run={() => steps.end({ params }, { of: campaign })}
              />
            ) : (
              <Button
                key={step}
                tone={step === 'activate' ? 'primary' : 'plain'}
                onClick={() => void act(t.campaigns[step], () => steps[step]({ params }, { of: campaign }))}
              >
                {t.campaigns[step]}
              </Button>
            ),
          )}
        {may && campaign.status === 'active' && <Announce campaign={campaign} />}
      </PageHead>
      <Columns>
        <Stack>
          <Performance id={id} />
          {campaign.trigger === 'code' && <Codes id={id} may={may} />}
          <Announcements id={id} may={may} />
        </Stack>
        <Card title={t.campaigns.terms}>
          <Facts
            of={[
              [t.campaigns.discount, discountInWords(campaign)],
              ...itemsOf(campaign).map(([name, items]) => [name, <Selected key={name} items={items} />] as const),
              [t.campaigns.trigger, wordFor(campaign.trigger)],
              [t.campaigns.forWhom, wordFor(conditions.segment)],
              [t.campaigns.begins, dateTime(conditions.startsAt)],
              [t.campaigns.ends, dateTime(conditions.endsAt)],
              [t.campaigns.minimum, conditions.minimumSubtotal ? money(conditions.minimumSubtotal) : null],
              [
                t.campaigns.pieces,
                conditions.minimumQuantity === null ? undefined : number(conditions.minimumQuantity),
              ],
              [t.campaigns.total, limits.total === null ? null : number(limits.total)],
              [t.campaigns.perUser, limits.perUser === null ? null : number(limits.perUser)],
              [t.campaigns.budget, limits.budget ? money(limits.budget) : null],
            ]}
          />
        </Card>
      </Columns>
    </>
  );
}

/** Which items the campaign is for, in words that say what for. */
function itemsOf({ discount }: CampaignBody): readonly (readonly [title: string, items: ItemSelector])[] {
  const { buy, get, items } = discount;
  return [
    ...(items ? [[t.campaigns.someItems, items] as const] : []),
    ...(buy ? [[t.campaigns.buyItems, buy.items] as const] : []),
    ...(get ? [[t.campaigns.getItems, get.items] as const] : []),
  ];
}

function Selected({ items }: { items: ItemSelector }) {
  const { products = [], variants = [], categories = [], excludedProducts = [], excludedVariants = [] } = items;
  const list = (ids: readonly string[]) => <A to={`/catalog?ids=${ids.join(',')}`}>{t.catalog.countOf(ids.length)}</A>;
  return (
    <>
      {products.length + variants.length + categories.length === 0 && <div>{t.values.all}</div>}
      {products.length > 0 && <div>{list(products)}</div>}
      {variants.length > 0 && <div>{t.catalog.variantsOf(variants.length)}</div>}
      {categories.map((id) => (
        <div key={id}>
          <A to={`/catalog?category=${id}`}>{t.catalog.category}</A>
        </div>
      ))}
      {excludedProducts.length > 0 && (
        <div>
          {t.campaigns.excluded}: {list(excludedProducts)}
        </div>
      )}
      {excludedVariants.length > 0 && (
        <div>
          {t.campaigns.excluded}: {t.catalog.variantsOf(excludedVariants.length)}
        </div>
      )}
    </>
  );
}

function Performance({ id }: { id: string }) {
  const { data, error } = useRead(api.campaigns.getCampaignPerformance, { params: { id } });
  if (error) return <Problem error={error} />;
  if (!data) return <Loading />;
  const { all, intervals } = data;
  return (
    <Card title={t.campaigns.performance}>
      <Stack>
        <Grid>
          <Stat label={t.campaigns.redemptions} value={number(all.redemptions)} />
          <Stat label={t.campaigns.customers} value={number(all.customers)} />
          <Stat label={t.campaigns.given} value={money(all.discount)} />
          <Stat label={t.campaigns.orderValue} value={money(all.orderValue)} />
        </Grid>
        {intervals.length > 1 && (
          <Chart
            kind="bars"
            title={t.campaigns.redemptions}
            labels={intervals.map(({ start }) => start.slice(5, 10))}
            series={[
              { name: wordFor('retail'), values: intervals.map(({ retail }) => retail.redemptions) },
              { name: wordFor('trade'), values: intervals.map(({ trade }) => trade.redemptions) },
            ]}
            show={number}
          />
        )}
      </Stack>
    </Card>
  );
}

function Codes({ id, may }: { id: string; may: boolean }) {
  const params = { id };
  return (
    <DataTable<CampaignCode, { params: { id: string } }>
      list={api.campaigns.listCampaignCodes}
      params={params}
      label={t.campaigns.codes}
      keyOf={({ code }) => code}
      columns={[
        { title: t.campaigns.code, cell: ({ code }) => <strong className="mono">{code}</strong> },
        {
          title: t.campaigns.uses,
          align: 'end',
          cell: ({ uses, maximumUses }) => `${number(uses)}${maximumUses === null ? '' : ` / ${number(maximumUses)}`}`,
        },
        { title: t.status, cell: ({ endedAt }) => <Badge value={endedAt === null ? 'active' : 'ended'} /> },
      ]}
      bulk={
        may
          ? [
              {
                title: t.campaigns.endCodes,
                tone: 'danger',
                whyNot: ({ endedAt }) => (endedAt === null ? null : t.campaigns.hasEnded),
                run: ({ code }) => api.campaigns.endCampaignCode({ params: { id, code } }),
              },
            ]
          : []
      }
    >
      {may && (
        <Action
          title={t.campaigns.addCodes}
          icon="plus"
          initial={{ codes: '', count: '', prefix: '' }}
          fields={({ values, set }) => (
            <>
              <TextField
                label={t.campaigns.codes}
                hint={t.campaigns.codesHint}
                rows={3}
                value={values.codes}
                onChange={(codes) => set('codes', codes)}
                pointer="/codes"
              />
              <Two>
                <TextField
                  label={t.campaigns.generate}
                  type="number"
                  value={values.count}
                  onChange={(count) => set('count', count)}
                  pointer="/generate"
                />
                <TextField
                  label={t.campaigns.prefix}
                  value={values.prefix}
                  onChange={(prefix) => set('prefix', prefix)}
                />
              </Two>
            </>
          )}
          run={({ codes, count, prefix }) => {
            const list = codes.split(/[\s,]+/).filter(Boolean);
            return api.campaigns.addCampaignCodes({
              params,
              body:
                list.length > 0 ? { codes: list } : { generate: { count: Number(count), ...(prefix && { prefix }) } },
            });
          }}
        />
      )}
    </DataTable>
  );
}

function Announcements({ id, may }: { id: string; may: boolean }) {
  const { data } = useRead(api.campaigns.listAnnouncements, { params: { id } }, { everyMs: 5000 });
  const rows = data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={t.campaigns.announcements}>
      <Timeline
        items={rows.map((one) => ({
          key: one.id,
          what: (
            <>
              <strong>{one.title}</strong> <Badge value={one.status} />
            </>
          ),
          when: dateTime(one.startedAt),
          more: (
            <>
              <p>{t.campaigns.progress(one.sent, one.recipients, one.failed)}</p>
              {may && one.status === 'running' && (
                <Button
                  onClick={() =>
                    void act(t.campaigns.stop, () =>
                      api.campaigns.stopAnnouncement({ params: { id, announcementId: one.id } }),
                    )
                  }
                >
                  {t.campaigns.stop}
                </Button>
              )}
            </>
          ),
        }))}
      />
    </Card>
  );
}
