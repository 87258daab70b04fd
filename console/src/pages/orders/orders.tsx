import type { Order } from '@storefront/client';
import { api, mayCall } from '../../api/client.ts';
import { ago, dateTime, dayFromToday, money } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Action, saveFile } from '../../parts/action.tsx';
import { Badge, PageHead, Row } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { TextField, Two } from '../../parts/form.tsx';
import { useRole } from '../../shell/session.ts';
import { leftToShip, nameOfBuyer } from './parts-of-order.ts';

const today = () => dayFromToday(0);
const tomorrow = () => dayFromToday(1);

export function Orders() {
  const role = useRole();
  return (
    <>
      <PageHead title={t.pages.orders} sub={t.orders.sub}>
        {mayCall('exportOrders', role) && (
          <Action
            title={t.orders.export}
            icon="download"
            initial={{ from: `${today().slice(0, 8)}01`, to: tomorrow() }}
            fields={({ values, set }) => (
              <Two>
                <TextField
                  label={t.from}
                  type="date"
                  value={values.from}
                  onChange={(from) => set('from', from)}
                  required
                  pointer="/from"
                />
                <TextField
                  label={t.until}
                  type="date"
                  value={values.to}
                  onChange={(to) => set('to', to)}
                  required
                  pointer="/to"
                />
              </Two>
            )}
            run={(query) =>
              saveFile(`orders-${query.from}-${query.to}.csv`, api.orders.exportOrders.response({ query }))
            }
            snippet={(query) => ({ area: 'orders', id: 'exportOrders', input: { query } })}
          />
        )}
      </PageHead>
      <DataTable<Order, Parameters<typeof api.orders.listOrders>[0]>
        list={api.orders.listOrders}
        label={t.pages.orders}
        keyOf={({ id }) => id}
        nameOf={({ id, number }) => number ?? id}
        linkOf={({ id }) => `/orders/${id}`}
        columns={[
          { title: t.orders.number, isName: true, cell: ({ id, number }) => number ?? id.slice(0, 14) },
          { title: t.orders.buyer, cell: nameOfBuyer },
          {
            title: t.orders.ordered,
            cell: ({ createdAt }) => <span title={dateTime(createdAt)}>{ago(createdAt)}</span>,
          },
          {
            title: t.status,
            cell: ({ status, attention = [] }) => (
              <Row>
                <Badge value={status} />
                {attention.map((why) => (
                  <Badge key={why} value={why} />
                ))}
              </Row>
            ),
          },
          { title: t.orders.payment, cell: ({ paymentStatus }) => <Badge value={paymentStatus} /> },
          {
            title: t.orders.fulfilment,
            cell: ({ status, fulfilmentStatus }) => (status === 'placed' ? <Badge value={fulfilmentStatus} /> : '–'),
          },
          { title: t.total, align: 'end', cell: ({ totals }) => money(totals.total) },
        ]}
        bulk={
          mayCall('createShipment', role)
            ? [
                {
                  title: t.order.ship,
                  icon: 'truck',
                  note: t.order.shipAllNote,
                  whyNot: (order) =>
                    order.status !== 'placed'
                      ? t.order.notPlaced
                      : leftToShip(order).length === 0
                        ? t.order.nothingLeft
                        : null,
                  run: ({ id }) => api.orders.createShipment({ params: { id }, body: {} }),
                },
              ]
            : []
        }
      />
    </>
  );
}
