import type { Order as OrderBody } from '@storefront/client';
import { useParams } from '@tanstack/react-router';
import { api, mayCall } from '../../api/client.ts';
import { liveMs, useRead } from '../../api/reads.ts';
import { dateTime, money } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { act, saveFile } from '../../parts/action.tsx';
import {
  A,
  Badge,
  Button,
  Card,
  Columns,
  Facts,
  Loading,
  Note,
  PageHead,
  Problem,
  Stack,
  Timeline,
} from '../../parts/basics.tsx';
import form from '../../parts/form.module.css';
import { Menu } from '../../parts/menu.tsx';
import { useRole } from '../../shell/session.ts';
import { Announce, Cancel, NoteOfStaff, Receive, Refund, Ship } from './order-actions.tsx';
import { nameOfBuyer, nameOfLine } from './parts-of-order.ts';

// The provider pays back a moment after it was asked to.
const untilPaidBackMs = 2000;
function waitMs({ totals, attention = [] }: OrderBody): number {
  const isPaidBack = totals.paid.amount - totals.refunded.amount <= totals.kept.amount;
  return isPaidBack || attention.includes('refund-failed') ? liveMs : untilPaidBackMs;
}

export function Order() {
  const { id = '' } = useParams({ strict: false });
  const role = useRole();
  const { data: order, error, refetch } = useRead(api.orders.getOrder, { params: { id } }, { everyMs: waitMs });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!order) return <Loading lines={10} />;
  const may = mayCall('createShipment', role);
  const isPlaced = order.status === 'placed';
  const name = order.number ?? order.id;
  return (
    <>
      <PageHead
        title={name}
        badges={
          <>
            <Badge value={order.status} />
            <Badge value={order.paymentStatus} />
            {isPlaced && <Badge value={order.fulfilmentStatus} />}
          </>
        }
        sub={`${dateTime(order.createdAt)} · ${nameOfBuyer(order)}`}
      >
        {may && isPlaced && <Ship order={order} />}
        {may && isPlaced && <Refund order={order} />}
        {may && <Cancel order={order} />}
        <Menu
          trigger={<Button icon="more" label={t.more} />}
          items={[
            {
              name: t.order.confirmation,
              icon: 'download',
              do: () => void saveFile(`${name}.pdf`, api.orders.getOrderConfirmation.response({ params: { id } })),
            },
            {
              name: t.order.packingSlip,
              icon: 'download',
              do: () => void saveFile(`${name}-slip.pdf`, api.orders.getPackingSlip.response({ params: { id } })),
            },
            ...(may
              ? [
                  {
                    name: t.order.mailAgain,
                    icon: 'deliveries' as const,
                    do: () =>
                      void act(t.order.mailAgain, () =>
                        api.orders.mailOrder({ params: { id }, body: { mail: 'last' } }),
                      ),
                  },
                  {
                    name: t.order.delivered,
                    icon: 'check' as const,
                    do: () => void act(t.order.delivered, () => api.orders.deliverOrder({ params: { id } })),
                  },
                ]
              : []),
          ]}
        />
      </PageHead>
      <Stack>
        {order.attention?.map((why) => (
          <Note key={why} tone="warn">
            {t.order.attention[why]}
          </Note>
        ))}
        {order.refusal && <Note tone="bad">{order.refusal.detail}</Note>}
        <Columns>
          <Stack>
            <Lines order={order} />
            {(order.shipments.length > 0 || order.returns.length > 0) && <Movements order={order} may={may} />}
            <Card title={t.timeline}>
              <Timeline
                items={order.timeline.toReversed().map(({ at, what, by, amount, reason, lines }, index) => ({
                  key: `${at}-${index}`,
                  what: (
                    <>
                      <strong>{wordFor(what)}</strong>
                      {lines.length > 0 && <span className="muted"> · {piecesIn(order, lines)}</span>}
                      {amount && ` · ${money(amount)}`}
                    </>
                  ),
                  when: `${dateTime(at)} · ${wordFor(by)}`,
                  more: reason !== null && <p>{reason}</p>,
                }))}
              />
            </Card>
          </Stack>
          <Stack>
            <Card title={t.order.totals}>
              <Totals order={order} />
            </Card>
            <Card title={t.orders.buyer}>
              <Facts
                of={[
                  [
                    t.order.account,
                    order.userId ? <A to={`/people/${order.userId}`}>{nameOfBuyer(order)}</A> : t.order.guest,
                  ],
                  [t.email, order.email ?? undefined],
                  [t.order.shipTo, addressOf(order.shippingAddress)],
                  [t.order.billTo, order.billingAddress ? addressOf(order.billingAddress) : undefined],
                  [t.order.reference, order.reference ?? undefined],
                  [t.order.noteOfBuyer, order.note ?? undefined],
                ]}
              />
            </Card>
            <Card title={t.order.staffNote} actions={may && <NoteOfStaff order={order} />}>
              <p className={order.staffNote ? undefined : 'muted'}>{order.staffNote ?? t.none}</p>
            </Card>
          </Stack>
        </Columns>
      </Stack>
    </>
  );
}

function Lines({ order }: { order: OrderBody }) {
  return (
    <Card title={t.order.lines}>
      <table className={form.lines}>
        <thead>
          <tr>
            <th scope="col">{t.order.line}</th>
            <th scope="col">{t.order.pieces}</th>
            <th scope="col">{t.order.unitPrice}</th>
            <th scope="col">{t.total}</th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr key={line.id}>
              <td>
                <A to={`/catalog/${line.productId}`}>{nameOfLine(line)}</A>
                <div className="muted">
                  {[
                    line.sku,
                    ...(['shipped', 'cancelled', 'refunded', 'returned', 'backOrdered'] as const).flatMap((what) =>
                      line[what] > 0 ? [`${wordFor(what)}: ${line[what]}`] : [],
                    ),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </div>
              </td>
              <td className="number">{line.quantity}</td>
              <td className="number">{money(line.unitPrice)}</td>
              <td className="number">{money(line.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Movements({ order, may }: { order: OrderBody; may: boolean }) {
  return (
    <Card title={t.order.movements}>
      <Timeline
        items={[
          ...order.shipments.map((shipment) => ({
            key: shipment.id,
            what: (
              <>
                <strong>{t.order.shipment}</strong> {piecesIn(order, shipment.lines)}
              </>
            ),
            when: dateTime(shipment.shippedAt),
            more: (
              <>
                <p>{[shipment.carrier, shipment.trackingNumber].filter(Boolean).join(' ')}</p>
                <Button
                  icon="download"
                  onClick={() =>
                    void saveFile(
                      'packing-slip.pdf',
                      api.orders.getPackingSlip.response({
                        params: { id: order.id },
                        query: { shipmentId: shipment.id },
                      }),
                    )
                  }
                >
                  {t.order.packingSlip}
                </Button>
              </>
            ),
          })),
          ...order.returns.map((one) => ({
            key: one.id,
            what: (
              <>
                <strong>{t.order.return}</strong> <Badge value={one.status} /> {piecesIn(order, one.lines)}
              </>
            ),
            when: dateTime(one.receivedAt ?? one.requestedAt),
            more: (
              <>
                {one.reason !== null && <p>{one.reason}</p>}
                {may && one.status === 'requested' && <Receive order={order} returnId={one.id} />}
              </>
            ),
          })),
        ]}
      />
      {may && <Announce order={order} />}
    </Card>
  );
}

function Totals({ order: { totals, discounts, shipping, taxIncluded } }: { order: OrderBody }) {
  return (
    <Facts
      of={[
        [t.order.subtotal, money(totals.subtotal)],
        ...discounts.map(({ name, code, amount }) => [code ? `${name} (${code})` : name, `−${money(amount)}`] as const),
        [shipping.name, money(totals.shipping)],
        [taxIncluded ? t.order.taxIn : t.order.tax, money(totals.tax)],
        [t.total, <strong key="total">{money(totals.total)}</strong>],
        [t.order.paid, money(totals.paid)],
        [t.order.refunded, totals.refunded.amount > 0 ? money(totals.refunded) : undefined],
      ]}
    />
  );
}

function piecesIn({ lines: all }: OrderBody, lines: readonly { lineId: string; quantity: number }[]): string {
  const name = (id: string) => all.filter((line) => line.id === id).map(nameOfLine)[0] ?? id;
  return lines.map(({ lineId, quantity }) => `${quantity} × ${name(lineId)}`).join(', ');
}

function addressOf(address: OrderBody['shippingAddress']): string | null {
  if (!address) return null;
  const { firstName, lastName, company, homeAddress, city, state, country, phone } = address;
  return [`${firstName} ${lastName}`, company, homeAddress, [city, state].filter(Boolean).join(', '), country, phone]
    .filter(Boolean)
    .join('\n');
}
