import type { Order } from '@storefront/client';
import { api } from '../../api/client.ts';
import { money, parseAmount } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { Note } from '../../parts/basics.tsx';
import { Check, linesOf, MoneyField, Pieces, TextField, Two } from '../../parts/form.tsx';
import { all, leftToRefund, leftToReturn, leftToShip, none, worthOf } from './parts-of-order.ts';

/** Ships all that is left, or a part of it. */
export function Ship({ order }: { order: Order }) {
  const left = leftToShip(order);
  if (left.length === 0) return null;
  const bodyOf = ({
    pieces,
    carrier,
    trackingNumber,
    trackingUrl,
  }: {
    pieces: Record<string, number>;
    carrier: string;
    trackingNumber: string;
    trackingUrl: string;
  }) => ({
    lines: linesOf(pieces),
    ...(carrier && { carrier }),
    ...(trackingNumber && { trackingNumber }),
    ...(trackingUrl && { trackingUrl }),
  });
  return (
    <Action
      title={t.order.ship}
      tone="primary"
      icon="truck"
      initial={{ pieces: all(left), carrier: '', trackingNumber: '', trackingUrl: '' }}
      fields={({ values, set }) => (
        <>
          <Pieces lines={left} value={values.pieces} onChange={(pieces) => set('pieces', pieces)} />
          <Two>
            <TextField
              label={t.order.carrier}
              value={values.carrier}
              onChange={(carrier) => set('carrier', carrier)}
              pointer="/carrier"
            />
            <TextField
              label={t.order.trackingNumber}
              value={values.trackingNumber}
              onChange={(number) => set('trackingNumber', number)}
              pointer="/trackingNumber"
            />
          </Two>
          <TextField
            label={t.order.trackingUrl}
            type="url"
            value={values.trackingUrl}
            onChange={(url) => set('trackingUrl', url)}
            pointer="/trackingUrl"
            hint={t.order.trackingHint}
          />
        </>
      )}
      run={(values) => api.orders.createShipment({ params: { id: order.id }, body: bodyOf(values) })}
      snippet={(values) => ({
        area: 'orders',
        id: 'createShipment',
        input: { params: { id: order.id }, body: bodyOf(values) },
      })}
    />
  );
}

/** Refunds pieces, shipping, or some more; says before what goes back. */
export function Refund({ order }: { order: Order }) {
  const left = leftToRefund(order);
  const { currency } = order.totals.total;
  const shippingWorth = order.shipping.price ? order.shipping.price.amount - order.shipping.discount.amount : 0;
  interface Values {
    pieces: Record<string, number>;
    shipping: boolean;
    goodwill: string;
    reason: string;
  }
  const bodyOf = ({ pieces, shipping, goodwill, reason }: Values) => {
    const lines = linesOf(pieces);
    const amount = parseAmount(goodwill, currency);
    return {
      reason,
      ...(lines.length > 0 && { lines }),
      ...(shipping && { shipping: true as const }),
      ...(amount && { goodwill: { amount, currency } }),
    };
  };
  const worthOfRefund = ({ pieces, shipping, goodwill }: Values) =>
    worthOf(order, pieces) + (shipping ? shippingWorth : 0) + (parseAmount(goodwill, currency) ?? 0);
  return (
    <Action<Values>
      title={t.order.refund}
      initial={{ pieces: none(), shipping: false, goodwill: '', reason: '' }}
      fields={({ values, set }) => (
        <>
          <Pieces lines={left} value={values.pieces} onChange={(pieces) => set('pieces', pieces)} />
          <Check
            label={t.order.refundShipping}
            checked={values.shipping}
            onChange={(shipping) => set('shipping', shipping)}
          />
          <MoneyField
            label={t.order.goodwill}
            currency={currency}
            value={values.goodwill}
            onChange={(goodwill) => set('goodwill', goodwill)}
            pointer="/goodwill"
          />
          <TextField
            label={t.reason}
            rows={2}
            value={values.reason}
            onChange={(reason) => set('reason', reason)}
            required
            pointer="/reason"
            hint={t.forTheShop}
          />
          <Note>
            {t.order.goesBack(
              money({ amount: worthOfRefund(values), currency }),
              money({ amount: Math.max(0, order.totals.kept.amount - worthOfRefund(values)), currency }),
            )}
          </Note>
        </>
      )}
      run={(values) => api.orders.refundOrder({ params: { id: order.id }, body: bodyOf(values) })}
      snippet={(values) => ({
        area: 'orders',
        id: 'refundOrder',
        input: { params: { id: order.id }, body: bodyOf(values) },
      })}
    />
  );
}

/** Cancels the whole order where nothing is shipped, or pieces that are not. */
export function Cancel({ order }: { order: Order }) {
  const left = leftToShip(order);
  const isPlaced = order.status === 'placed';
  const isShipped = order.lines.some(({ shipped }) => shipped > 0);
  if ((!isPlaced && order.status !== 'awaiting-payment') || left.length === 0) return null;
  interface Values {
    pieces: Record<string, number>;
    reason: string;
  }
  const isAll = (pieces: Record<string, number>) =>
    !isPlaced || (!isShipped && left.every(({ id, most }) => pieces[id] === most));
  const bodyOf = ({ pieces, reason }: Values) => ({
    ...(!isAll(pieces) && { lines: linesOf(pieces) }),
    ...(reason && { reason }),
  });
  return (
    <Action<Values>
      title={t.order.cancel}
      tone="danger"
      initial={{ pieces: all(left), reason: '' }}
      fields={({ values, set }) => (
        <>
          {isPlaced && <Pieces lines={left} value={values.pieces} onChange={(pieces) => set('pieces', pieces)} />}
          <TextField
            label={t.reason}
            rows={2}
            value={values.reason}
            onChange={(reason) => set('reason', reason)}
            pointer="/reason"
            hint={t.forTheShop}
          />
          <Note tone="warn">
            {isAll(values.pieces)
              ? t.order.cancelsAll
              : t.order.cancelsPart(
                  money({ amount: worthOf(order, values.pieces), currency: order.totals.total.currency }),
                )}
          </Note>
        </>
      )}
      run={(values) => api.orders.cancelOrder({ params: { id: order.id }, body: bodyOf(values) })}
      snippet={(values) => ({
        area: 'orders',
        id: 'cancelOrder',
        input: { params: { id: order.id }, body: bodyOf(values) },
      })}
    />
  );
}

/** Announces a return for the buyer. */
export function Announce({ order }: { order: Order }) {
  const left = leftToReturn(order);
  if (left.length === 0) return null;
  return (
    <Action
      title={t.order.announceReturn}
      initial={{ pieces: none(), reason: '' }}
      fields={({ values, set }) => (
        <>
          <Pieces lines={left} value={values.pieces} onChange={(pieces) => set('pieces', pieces)} />
          <TextField
            label={t.reason}
            rows={2}
            value={values.reason}
            onChange={(reason) => set('reason', reason)}
            required
            pointer="/reason"
          />
        </>
      )}
      run={({ pieces, reason }) =>
        api.orders.requestReturn({ params: { id: order.id }, body: { lines: linesOf(pieces), reason } })
      }
    />
  );
}

/** Notes that a return has come. */
export function Receive({ order, returnId }: { order: Order; returnId: string }) {
  return (
    <Action
      title={t.order.receive}
      tone="primary"
      initial={{ restock: true }}
      fields={({ values, set }) => (
        <>
          <p>{t.order.receiveWhy}</p>
          <Check label={t.order.restock} checked={values.restock} onChange={(restock) => set('restock', restock)} />
        </>
      )}
      run={(body) => api.orders.receiveReturn({ params: { id: order.id, returnId }, body })}
    />
  );
}

export function NoteOfStaff({ order }: { order: Order }) {
  return (
    <Action
      title={t.order.changeNote}
      tone="quiet"
      verb={t.save}
      initial={{ staffNote: order.staffNote ?? '' }}
      fields={({ values, set }) => (
        <TextField
          label={t.order.staffNote}
          rows={4}
          value={values.staffNote}
          onChange={(note) => set('staffNote', note)}
          pointer="/staffNote"
        />
      )}
      run={({ staffNote }) =>
        api.orders.changeOrder({ params: { id: order.id }, body: { staffNote: staffNote || null } })
      }
    />
  );
}
