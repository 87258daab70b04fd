import { useParams } from '@tanstack/react-router';
import { api, mayCall } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { dateTime, money } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { A, Badge, Card, Columns, Facts, Loading, PageHead, Problem, Timeline } from '../../parts/basics.tsx';
import { TextField } from '../../parts/form.tsx';
import { useRole } from '../../shell/session.ts';

export function Payment() {
  const { id = '' } = useParams({ strict: false });
  const role = useRole();
  const { data: payment, error } = useRead(api.payments.getPayment, { params: { id } });
  const seesCallbacks = mayCall('listCallbacks', role);
  const callbacks = useRead(
    api.payments.listCallbacks,
    { query: { payment: id, limit: 50 } },
    { enabled: seesCallbacks },
  );
  if (error) return <Problem error={error} />;
  if (!payment) return <Loading lines={8} />;
  return (
    <>
      <PageHead
        title={money(payment.amount ?? payment.received)}
        badges={<Badge value={payment.status} />}
        sub={<span className="mono">{id}</span>}
      >
        {mayCall('allocatePayment', role) && payment.remainder.amount > 0 && (
          <Action
            title={t.money.allocate}
            tone="primary"
            initial={{ accountId: payment.accountId ?? '', invoiceIds: '' }}
            fields={({ values, set }) => (
              <>
                <p>{t.money.allocateWhy(money(payment.remainder))}</p>
                <TextField
                  label={t.money.account}
                  value={values.accountId}
                  onChange={(accountId) => set('accountId', accountId)}
                  required
                  pointer="/accountId"
                />
                <TextField
                  label={t.money.invoices}
                  hint={t.money.invoicesHint}
                  value={values.invoiceIds}
                  onChange={(ids) => set('invoiceIds', ids)}
                  pointer="/invoiceIds"
                />
              </>
            )}
            run={({ accountId, invoiceIds }) => {
              const ids = invoiceIds.split(/[\s,]+/).filter(Boolean);
              return api.payments.allocatePayment({
                params: { id },
                body: { accountId, ...(ids.length > 0 && { invoiceIds: ids }) },
              });
            }}
          />
        )}
      </PageHead>
      <Columns>
        <Card title={t.money.payment}>
          <Facts
            of={[
              [t.when, dateTime(payment.createdAt)],
              [t.money.provider, payment.provider],
              [t.money.received, money(payment.received)],
              [t.order.refunded, money(payment.refunded)],
              [t.money.open, money(payment.remainder)],
              [t.money.whyOpen, payment.unallocatedReason ? wordFor(payment.unallocatedReason) : undefined],
              [
                t.invoice.order,
                payment.orderId ? <A to={`/orders/${payment.orderId}`}>{payment.orderId}</A> : undefined,
              ],
              [
                t.money.account,
                payment.accountId ? <A to={`/trade/${payment.accountId}`}>{payment.accountId}</A> : undefined,
              ],
              ...payment.allocations.map(
                ({ invoiceId, amount }) =>
                  [
                    money(amount),
                    payment.accountId ? (
                      <A key={invoiceId} to={`/trade/${payment.accountId}/invoices/${invoiceId}`}>
                        {invoiceId}
                      </A>
                    ) : (
                      invoiceId
                    ),
                  ] as const,
              ),
            ]}
          />
        </Card>
        {seesCallbacks && (
          <Card title={t.money.callbacks}>
            <Timeline
              items={(callbacks.data?.data ?? []).map((callback) => ({
                key: callback.id,
                what: (
                  <>
                    <A to={`/invoices/callbacks/${callback.id}`}>{callback.type ?? callback.id}</A>{' '}
                    <Badge value={callback.outcome} />
                  </>
                ),
                when: dateTime(callback.receivedAt),
              }))}
            />
          </Card>
        )}
      </Columns>
    </>
  );
}
