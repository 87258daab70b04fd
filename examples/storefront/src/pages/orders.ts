import { ApiError, type Order, type OrderLine } from '@storefront/client';
import { html, type App, type Ctx, type Html } from '../context.ts';
import { orderInput, readOrder } from '../order.ts';
import { addressLines } from '../parts/address.ts';
import { passOn } from '../parts/file.ts';
import { formPage, narrowPage, type Form } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
import { amount, lineList, takenOff } from '../parts/lists.ts';
import type { Sentence } from '../words/translate.ts';
import { totals } from './checkout.ts';

/** What an order is called in a list. */
export const orderStates = {
  pending: 'being reserved',
  'awaiting-payment': 'not paid',
  closing: 'being cancelled',
  placed: 'placed',
  cancelled: 'cancelled',
  refused: 'refused',
} as const satisfies Record<Order['status'], Sentence>;

/** What the page says about an order. */
const sentences = {
  pending: 'We are reserving your order …',
  'awaiting-payment': 'Your order waits for its payment',
  closing: 'Your order is being cancelled …',
  cancelled: 'This order is cancelled',
  refused: 'This order could not be accepted',
  refunded: 'Your money is on its way back',
  open: 'Thank you for your order',
  partial: 'A part of your order is on its way',
  shipped: 'Your order is on its way',
  delivered: 'Your order has arrived',
} as const satisfies Record<string, Sentence>;

function sentenceOf({ status, fulfilmentStatus, paymentStatus }: Order): Sentence {
  if (status !== 'placed') return sentences[status];
  return sentences[paymentStatus === 'refunded' ? 'refunded' : fulfilmentStatus];
}

export function orderPages(app: App): void {
  formPage(app, '/orders/:id', show, async (c, values) => {
    const { orders } = c.var.api;
    const input = orderInput(c, idOf(c));
    switch (values.action ?? '') {
      case 'pay':
        await orders.payOrder(input);
        return c.redirect(`${c.req.path}?pay=1`, 303);
      case 'cancel':
        await orders.cancelOrder(input);
        return 'cancelled';
      case 'claim':
        await orders.claimOrder(input);
        return 'claimed';
      case 'return': {
        const wanted = Object.entries(values).filter(([name, count]) => name.startsWith('line.') && Number(count) > 0);
        const lines = wanted.map(([name, count]) => ({ lineId: name.slice(5), quantity: Number(count) }));
        await orders.requestReturn({ ...input, body: { lines, reason: values.reason ?? '–' } });
        return 'returned';
      }
      default:
        return c.redirect(c.req.path, 303);
    }
  });

  // The link of a mail has the secret behind its #, where no log sees it; a small script of the page sends it here.
  formPage(app, '/orders/:id/secret', askForSecret, async (c, { secret = '' }) => {
    const id = idOf(c);
    c.var.session.rememberOrder(id, /^[\w-]{10,200}$/.test(secret) ? secret : '');
    if (await readOrder(c, id)) return c.redirect(`/orders/${id}`, 303);
    c.var.session.rememberOrder(id, '');
    throw new ApiError('not_found', c.var.t('No order has this secret.'), { status: 404 });
  });

  app.get('/orders/:id/confirmation.pdf', async (c) =>
    passOn(c, await c.var.api.orders.getOrderConfirmation.response(orderInput(c, idOf(c)))),
  );
}

const idOf = (c: Ctx) => c.req.param('id') ?? '';

async function show(c: Ctx, form: Form): Promise<Response> {
  const { t, date, session } = c.var;
  const isBack = c.req.query('paid') !== undefined;
  const waits = ({ status }: Order) =>
    ['pending', 'closing'].includes(status) || (isBack && status === 'awaiting-payment');
  const order = await readOrder(c, idOf(c), waits);
  if (!order) return askForSecret(c, form);
  const { id, number, status, payment, shippingAddress, refusal, shipments, returns } = order;
  const isGuest = session.orderSecret(id) !== undefined;
  const isPlaced = status === 'placed';
  const isUnpaid = status === 'awaiting-payment';
  const announced = returns.filter((each) => each.status === 'requested').flatMap(({ lines }) => lines);
  const returnable = order.lines
    .map(({ id, name, shipped, returned }) => ({
      id,
      name,
      left: announced.reduce((left, { lineId, quantity }) => left - (lineId === id ? quantity : 0), shipped - returned),
    }))
    .filter(({ left }) => left > 0);
  const button = (action: string, label: Sentence) =>
    html`<button class="quiet" name="action" value="${action}">${t(label)}</button>`;
  const body = html`
    <h1>${t(sentenceOf(order))}</h1>
    <p class="lead">
      ${number && html`<b>${number}</b> · `}${date(order.placedAt ?? order.createdAt)}
      ${isPlaced && order.email && html`<br />${t('The confirmation is on its way to {email}.', { email: order.email })}`}
    </p>
    ${form.problem} ${refusal && html`<p class="alert">${refusal.detail}</p>`} ${toDo(c, order)}
    ${shipments.map(
      ({ carrier, trackingNumber, trackingUrl, shippedAt }) =>
        html`<p class="notice">
          ${t('Shipped on {day}', { day: date(shippedAt) })} ${carrier}
          ${trackingUrl ? html`<a href="${trackingUrl}" rel="noreferrer">${trackingNumber ?? t('Follow the parcel')}</a>` : trackingNumber}
        </p>`,
    )}
    <div class="cart">
      <div>
        ${lineList(c, linesOf(c, order))}
        <form class="row" method="post" action="/orders/${id}">
          ${isPlaced && html`<a class="button quiet" href="/orders/${id}/confirmation.pdf">${t('Confirmation (PDF)')}</a>`}
          ${isUnpaid && button('pay', 'Open another payment page')}
          ${(isUnpaid || (isPlaced && order.fulfilmentStatus === 'open')) && button('cancel', 'Cancel the order')}
          ${isGuest && session.isOpen && isPlaced && button('claim', 'Put it into my account')}
        </form>
        ${returnable.length > 0 && returnForm(c, id, returnable, form)}
        ${returns.map(({ status, requestedAt }) => html`<p class="hint">${t(status === 'received' ? 'Return of {day}: received' : 'Return of {day}: announced', { day: date(requestedAt) })}</p>`)}
      </div>
      <aside class="sum">
        <h2>${t('Summary')}</h2>
        ${totals(c, order, takenOff(c, order.discounts))}
        <h2>${t('Goes to')}</h2>
        ${shippingAddress && addressLines(c, shippingAddress)}
        <h2>${t('Payment')}</h2>
        <p>${payment.method === 'invoice' ? t('On account, by invoice') : t('By card')}</p>
      </aside>
    </div>
  `;
  return page(c, number ?? t('Your order'), body);
}

/** What an order that is not placed waits for. */
function toDo(c: Ctx, { id, status, payment }: Order): Html {
  const { t } = c.var;
  if (!['pending', 'awaiting-payment', 'closing'].includes(status)) return undefined;
  const isOnTheWay = c.req.query('pay') !== undefined;
  return html`
    ${
      status === 'awaiting-payment' &&
      html`<section class="panel">
        <p>${t('Everything is reserved for you for 30 minutes.')}</p>
        ${payment.redirectUrl && html`<a class="button" href="${payment.redirectUrl}" rel="nofollow" ${isOnTheWay && 'data-follow'}>${t('Pay now')}</a>`}
      </section>`
    }
    <p>
      <a href="/orders/${id}?${isOnTheWay ? 'pay' : 'paid'}=1" ${status === 'pending' && 'data-look-again'}
        >${t('Look again')}</a
      >
    </p>
  `;
}

function linesOf(c: Ctx, { lines }: Order) {
  const { t, money } = c.var;
  return lines.map(({ image, name, values, quantity, cancelled, unitPrice, total, productId }) => ({
    image,
    name: name ?? productId,
    hint: [values.join(', '), `${quantity} × ${unitPrice ? money(unitPrice) : ''}`].filter(Boolean).join(' · '),
    more: cancelled > 0 && html`<p class="wrong">${t('{count} cancelled', { count: cancelled })}</p>`,
    price: total,
  }));
}

type Returnable = Pick<OrderLine, 'id' | 'name'> & { readonly left: number };

function returnForm(c: Ctx, orderId: string, lines: readonly Returnable[], form: Form): Html {
  const { t } = c.var;
  const fields = lines.map(({ id, name, left }) =>
    amount(name ?? '', `line.${id}`, form.values[`line.${id}`] ?? 0, 0, left),
  );
  return html`<details class="panel" ${form.values.action === 'return' && 'open'}>
    <summary>${t('Send something back')}</summary>
    <form class="stack" method="post" action="/orders/${orderId}">
      ${fields} ${form.field('reason')}
      <p><button name="action" value="return">${t('Announce the return')}</button></p>
    </form>
  </details>`;
}

/** Somebody who has neither the account nor the secret of the order. */
function askForSecret(c: Ctx, form: Form): Promise<Response> {
  const { t } = c.var;
  const id = idOf(c);
  return narrowPage(c, `/orders/${id}/secret`, form, {
    title: 'Your order',
    text: t('To see it, open the link of our mail on this device, or log in to the account it belongs to.'),
    fields: form.field('secret'),
    button: 'Show the order',
    below: html`<a class="button quiet" href="/login?next=/orders/${encodeURIComponent(id)}">${t('Log in')}</a>`,
  });
}
