import type { Callback as Received } from '@storefront/client';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { ago, dateTime, number } from '../../format.ts';
import { t } from '../../language/index.ts';
import { act } from '../../parts/action.tsx';
import { A, Badge, Button, Card, Columns, Facts, Loading, PageHead, Problem } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import overlay from '../../parts/overlay.module.css';
import { MoneyTabs } from './payments.tsx';

const replay = (id: string) => api.payments.replayCallback({ params: { id } });

export function Callbacks() {
  return (
    <>
      <PageHead title={t.money.callbacks} sub={t.money.callbacksSub} />
      <MoneyTabs current="/invoices/callbacks" />
      <DataTable<Received, Parameters<typeof api.payments.listCallbacks>[0]>
        list={api.payments.listCallbacks}
        label={t.money.callbacks}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/invoices/callbacks/${id}`}
        nameOf={({ id, type }) => type ?? id}
        columns={[
          { title: t.money.kind, isName: true, cell: ({ type, id }) => type ?? id },
          { title: t.when, cell: ({ receivedAt }) => ago(receivedAt) },
          { title: t.money.outcome, cell: ({ outcome }) => <Badge value={outcome} /> },
          { title: t.reason, cell: ({ reason }) => reason ?? '–' },
          { title: t.money.replays, align: 'end', cell: ({ replays }) => number(replays) },
        ]}
        bulk={[
          {
            title: t.money.replay,
            icon: 'refresh',
            whyNot: ({ outcome }) => (outcome === 'bad_signature' ? t.money.neverReplayed : null),
            run: ({ id }) => replay(id),
          },
        ]}
      />
    </>
  );
}

export function Callback() {
  const { id = '' } = useParams({ strict: false });
  const { data: callback, error } = useRead(api.payments.getCallback, { params: { id } });
  if (error) return <Problem error={error} />;
  if (!callback) return <Loading lines={8} />;
  return (
    <>
      <PageHead
        title={callback.type ?? t.money.callback}
        badges={<Badge value={callback.outcome} />}
        sub={<span className="mono">{id}</span>}
      >
        <Button icon="refresh" onClick={() => void act(t.money.replay, () => replay(id))}>
          {t.money.replay}
        </Button>
      </PageHead>
      <Columns>
        <Card title={t.money.body}>
          <pre className={overlay.code}>{callback.body ?? t.none}</pre>
        </Card>
        <Card title={t.money.callback}>
          <Facts
            of={[
              [t.when, dateTime(callback.receivedAt)],
              [t.done, dateTime(callback.doneAt)],
              [t.reason, callback.reason],
              [
                t.money.payment,
                callback.paymentId ? <A to={`/invoices/payments/${callback.paymentId}`}>{callback.paymentId}</A> : null,
              ],
              [t.money.address, callback.address],
              [t.money.replays, number(callback.replays)],
            ]}
          />
        </Card>
      </Columns>
    </>
  );
}
