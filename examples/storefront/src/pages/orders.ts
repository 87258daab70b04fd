import type { Hono } from 'hono';
import type { ApiError, Order } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { orderInput, readOrder } from '../order.ts';
import { addressLines } from '../parts/address.ts';
import { passOn } from '../parts/file.ts';
import { formOf, formPage, sent, type Form, type Values } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
import { lineList } from '../parts/lists.ts';
import { takenOff } from '../parts/totals.ts';
import type { Sentence } from '../words/translate.ts';
import { totals } from './checkout.ts';

/** What the page says about an order. */
function stateOf({ status, fulfilmentStatus, paymentStatus }: Order): Sentence {
  if (status !== 'placed')
    return (
      {
        pending: 'We are reserving your order …',
        'awaiting-payment': 'Your order waits for its payment',
        closing: 'Your order is being cancelled …',
        cancelled: 'This order is cancelled',
        refused: 'This order could not be accepted',
      } as const
    )[status];
  if (paymentStatus === 'refunded') return 'Your money is on its way back';
  return (
    {
      open: 'Thank you for your order',
      partial: 'A part of your order is on its way',
      shipped: 'Your order is on its way',
      delivered: 'Your order has arrived',
    } as const
  )[fulfilmentStatus];
}

/** What an order is called in a list. */
export const orderStates = {
  pending: 'being reserved',
  'awaiting-payment': 'not paid',
  closing: 'being cancelled',
  placed: 'placed',
  cancelled: 'cancelled',
  refused: 'refused',
} as const satisfies Record<Order['status'], Sentence>;

export function orderPages(app: Hono<Env>): void {
  formPage(app, '/orders/:id', show, async (c, values) => {
    const { orders } = c.var.api;
    const path = `/orders/${idOf(c)}`;
    const input = orderInput(c, idOf(c));
    switch (values.action ?? '') {
      case 'pay':
        await orders.payOrder(input);
        return c.redirect(`${path}?pay=1`, 303);
      case 'cancel':
        await orders.cancelOrder(input);
        return c.redirect(`${path}?done=cancelled`, 303);
      case 'claim':
        await orders.claimOrder(input);
        return c.redirect(`${path}?done=claimed`, 303);
      case 'return': {
        const wanted = Object.entries(values).filter(([name, count]) => name.startsWith('line.') && Number(count) > 0);
        const lines = wanted.map(([name, count]) => ({ lineId: name.slice(5), quantity: Number(count) }));
        await orders.requestReturn({ ...input, body: { lines, reason: values.reason ?? '–' } });
        return c.redirect(`${path}?done=returned`, 303);
      }
      default:
        return c.redirect(path, 303);
    }
  });

  // The link of a mail has the secret behind its #, where no log sees it; a small script of the page sends it here.
  app.post('/orders/:id/secret', async (c) => {
    const { secret = '' } = await sent(c);
    const id = c.req.param('id');
    c.var.session.rememberOrder(id, /^[\w-]{10,200}$/.test(secret) ? secret : '');
    if (await readOrder(c, id)) return c.redirect(`/orders/${id}`, 303);
    c.var.session.rememberOrder(id, '');
    return askForSecret(c, html`<p class="alert" role="alert">${c.var.t('No order has this secret.')}</p>`);
  });

  app.get('/orders/:id/confirmation.pdf', async (c) =>
    passOn(c, await c.var.api.orders.getOrderConfirmation.response(orderInput(c, idOf(c)))),
  );
}

const idOf = (c: Ctx) => c.req.param('id') ?? '';

async function show(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { t, date, money, session } = c.var;
  const isBack = c.req.query('paid') !== undefined;
  const order = await readOrder(
    c,
    idOf(c),
    ({ status }) => status === 'pending' || (isBack && status === 'awaiting-payment'),
  );
  if (!order) return askForSecret(c);
  const form = formOf(c, values, error);
  const { id, number, status, payment, shippingAddress, placedAt, createdAt, refusal, shipments, returns } = order;
  const isGuest = session.orderSecret(id) !== undefined;
  const isPlaced = status === 'placed';
  const canReturn = order.lines.some(({ shipped, returned }) => shipped > returned);
  const button = (action: string, label: Sentence, kind = 'quiet') =>
    html`<button class="${kind}" name="action" value="${action}">${t(label)}</button>`;
  return page(c, {
    title: number ?? t('Your order'),
    body: html`
      <h1>${t(stateOf(order))}</h1>
      <p class="lead">
        ${number ? html`<b>${number}</b> · ` : nothing}${date(placedAt ?? createdAt)}
        ${isPlaced && order.email ? html`<br />${t('The confirmation is on its way to {email}.', { email: order.email })}` : nothing}
      </p>
      ${form.problem} ${refusal ? html`<p class="alert">${refusal.detail}</p>` : nothing}
      ${
        status === 'awaiting-payment'
          ? html`<section class="panel stack">
              <p>${t('Everything is reserved for you for 30 minutes.')}</p>
              ${
                payment.redirectUrl
                  ? html`<p>
                      <a
                        class="button"
                        href="${payment.redirectUrl}"
                        rel="nofollow"
                        ${c.req.query('pay') ? html`data-follow` : nothing}
                        >${t('Pay now')}</a
                      >
                    </p>`
                  : nothing
              }
            </section>`
          : nothing
      }
      ${
        ['pending', 'awaiting-payment', 'closing'].includes(status)
          ? html`<p>
              <a
                href="/orders/${id}?${c.req.query('pay') ? 'pay' : 'paid'}=1"
                ${status === 'pending' ? html`data-look-again` : nothing}
                >${t('Look again')}</a
              >
            </p>`
          : nothing
      }
      ${shipments.map(
        ({ carrier, trackingNumber, trackingUrl, shippedAt }) =>
          html`<p class="notice">
            ${t('Shipped on {day}', { day: date(shippedAt) })} ${carrier ?? ''}
            ${trackingUrl ? html`<a href="${trackingUrl}" rel="noreferrer">${trackingNumber ?? t('Follow the parcel')}</a>` : (trackingNumber ?? '')}
          </p>`,
      )}
      <div class="cart">
        <div>
          ${lineList(
            c,
            order.lines.map(({ image, name, values, quantity, cancelled, unitPrice, total, productId }) => ({
              image,
              name: name ?? productId,
              hint: `${quantity} × ${unitPrice ? money(unitPrice) : ''} ${values.join(', ')}`,
              more:
                cancelled > 0 ? html`<p class="wrong">${t('{count} cancelled', { count: cancelled })}</p>` : nothing,
              price: total,
            })),
          )}
          <form class="row" method="post" action="/orders/${id}">
            ${isPlaced ? html`<a class="button quiet" href="/orders/${id}/confirmation.pdf">${t('Confirmation (PDF)')}</a>` : nothing}
            ${status === 'awaiting-payment' ? button('pay', 'Open another payment page') : nothing}
            ${status === 'awaiting-payment' || (isPlaced && order.fulfilmentStatus === 'open') ? button('cancel', 'Cancel the order') : nothing}
            ${isGuest && session.isOpen && isPlaced ? button('claim', 'Put it into my account') : nothing}
          </form>
          ${canReturn ? returnForm(c, order, form, values) : nothing}
          ${returns.map(({ status, requestedAt }) => html`<p class="hint">${t(status === 'received' ? 'Return of {day}: received' : 'Return of {day}: announced', { day: date(requestedAt) })}</p>`)}
        </div>
        <aside class="sum">
          <h2>${t('Summary')}</h2>
          ${totals(c, order, takenOff(c, order.discounts))}
          <h2>${t('Goes to')}</h2>
          ${shippingAddress ? addressLines(c, shippingAddress) : nothing}
          <h2>${t('Payment')}</h2>
          <p>${payment.method === 'invoice' ? t('On account, by invoice') : t('By card')}</p>
        </aside>
      </div>
    `,
  });
}

function returnForm(c: Ctx, { id, lines }: Order, form: Form, values: Values): Html {
  const { t } = c.var;
  return html`<details class="panel" ${values.action === 'return' ? html`open` : nothing}>
    <summary>${t('Send something back')}</summary>
    <form class="stack" method="post" action="/orders/${id}">
      ${lines
        .filter(({ shipped, returned }) => shipped > returned)
        .map(
          ({ id, name, shipped, returned }) =>
            html`<label class="amount"
              >${name}
              <input
                type="number"
                name="line.${id}"
                value="${values[`line.${id}`] ?? 0}"
                min="0"
                max="${shipped - returned}"
            /></label>`,
        )}
      ${form.field('reason', 'Why?', { rows: 2 })}
      <p><button name="action" value="return">${t('Announce the return')}</button></p>
    </form>
  </details>`;
}

/** Somebody who has neither the account nor the secret of the order. */
function askForSecret(c: Ctx, problem?: Html): Promise<Response> {
  const { t } = c.var;
  const id = idOf(c);
  return page(c, {
    title: t('Your order'),
    ...(problem && { status: 422 }),
    body: html`
      <h1>${t('Your order')}</h1>
      <p>${t('To see it, open the link of our mail on this device, or log in to the account it belongs to.')}</p>
      <form class="stack narrow" method="post" action="/orders/${id}/secret" data-send-fragment>
        ${problem ?? nothing}
        ${formOf(c).field('secret', 'Secret of the link', { hint: 'What stands after “secret=” in the link of the mail.' })}
        <p class="row">
          <button>${t('Show the order')}</button>
          <a class="button quiet" href="/login?next=/orders/${encodeURIComponent(id)}">${t('Log in')}</a>
        </p>
      </form>
    `,
  });
}
