import type { Hono } from 'hono';
import { ApiError, type Cart, type CartQuote, type OrderCreation } from '@storefront/client';
import { evaluate, readCart } from '../cart.ts';
import type { Ctx, Env } from '../context.ts';
import { countryName, homeCountry } from '../countries.ts';
import { html, nothing, type Html } from '../html.ts';
import { readOrder } from '../order.ts';
import { addressLines, emailField, nameFields, placeFields, placeOf } from '../parts/address.ts';
import { formOf, formPage, type Values } from '../parts/form.ts';
import { leadTo, notePage, page } from '../parts/layout.ts';
import { problemOfForm } from '../parts/problems.ts';
import { totalsOf, type TotalsRow } from '../parts/totals.ts';
import type { Translate } from '../words/translate.ts';
import { discounts } from './cart.ts';

/**
 * The checkout has two steps: where to, and then how it is shipped and paid. The second page has the fields of the first
 * one hidden in its form, so nothing personal is kept on the way, and everything works without a script.
 */
export function checkoutPages(app: Hono<Env>): void {
  formPage(app, '/checkout', whereTo, (c, values) => {
    if (values.step === 'order') return order(c, values);
    return values.step === 'address' ? whereTo(c, values) : howToPay(c, values);
  });

  // The payment page leads back here. The API has added which order it was about.
  app.get('/checkout/done', (c) => c.redirect(`/orders/${encodeURIComponent(c.req.query('order') ?? '')}?paid=1`, 303));
}

async function sellable(c: Ctx): Promise<Cart | undefined> {
  const cart = await readCart(c);
  // The API answers as it does to a guest, and so the order would not be the account's.
  if (c.req.method === 'POST' && c.var.session.hasEnded)
    throw new ApiError('authentication_required', 'The login is over.', { status: 401 });
  return cart?.lines.some(({ problem }) => problem !== 'unavailable') ? cart : undefined;
}

const heading = (c: Ctx, step: 1 | 2): Html => html`
  <h1>${c.var.t('Checkout')}</h1>
  <ol class="steps">
    <li ${step === 1 ? html`aria-current="step"` : nothing}>${c.var.t('Where to')}</li>
    <li ${step === 2 ? html`aria-current="step"` : nothing}>${c.var.t('Delivery and payment')}</li>
  </ol>
`;

async function whereTo(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t, session, money } = c.var;
  const cart = await sellable(c);
  if (!cart) return c.redirect('/cart', 303);
  const [me, addresses, recipients] = session.isOpen
    ? await Promise.all([
        api.users.getMe(),
        api.addresses.listAddresses({ query: { limit: 10 } }),
        api.customers.listCustomers({ query: { limit: 20 } }),
      ])
    : [];
  const known = [
    ...(addresses?.data ?? []).map(({ id, ...address }) => ({
      id,
      address: { ...address, firstName: me?.firstName ?? '', lastName: me?.lastName ?? '' },
      isFirst: address.isDefault,
    })),
    ...(recipients?.data ?? []).flatMap(({ id, firstName, lastName, address }) =>
      address ? [{ id, address: { ...address, firstName, lastName }, isFirst: false }] : [],
    ),
  ];
  const chosen = values.to ?? known.find(({ isFirst }) => isFirst)?.id ?? known[0]?.id ?? 'new';
  const form = formOf(
    c,
    { country: homeCountry, firstName: me?.firstName ?? '', lastName: me?.lastName ?? '', ...values },
    error,
  );
  const place = html`${nameFields(form)}
  ${form.field('company', 'Company', { optional: true, autocomplete: 'organization', maxlength: 200 })}
  ${placeFields(c, form)}
  ${form.field('phone', 'Phone', { optional: true, type: 'tel', autocomplete: 'tel', maxlength: 32, hint: 'For questions about the delivery only.' })}`;
  return page(c, {
    title: t('Checkout'),
    body: html`
      ${heading(c, 1)}
      <div class="cart">
        <form method="post" action="/checkout" class="stack" ${known.length > 0 ? html`novalidate` : nothing}>
          ${form.problem} ${form.hidden('shippingOptionId', 'method', 'reference', 'note')}
          ${
            me
              ? nothing
              : html`<p class="hint">
                    <a href="/login?next=/checkout">${t('Log in')}</a>
                    ${t('to order with your account, or go on as a guest.')}
                  </p>
                  ${emailField(form, 'email')}`
          }
          ${
            known.length > 0
              ? html`<fieldset class="choices">
                  <legend>${t('Where to')}</legend>
                  ${known.map(
                    ({ id, address }) =>
                      html`<label class="choice">
                        <input type="radio" name="to" value="${id}" ${id === chosen ? html`checked` : nothing} />
                        <span>${addressLines(c, address)}</span>
                      </label>`,
                  )}
                  <label class="choice">
                    <input type="radio" name="to" value="new" ${chosen === 'new' ? html`checked` : nothing} />
                    <span>${t('Another address')}</span>
                  </label>
                  <div class="when-new">${place}</div>
                </fieldset>`
              : place
          }
          <p><button class="wide">${t('On to delivery and payment')}</button></p>
        </form>
        <aside class="sum">
          <h2>${t('Your cart')}</h2>
          ${cart.lines.map(({ name, values, quantity, subtotal }) => html`<p class="row"><span class="grow">${quantity} × ${[name, ...values].join(', ')}</span> <span>${money(subtotal)}</span></p>`)}
          <p><a href="/cart">${t('Change the cart')}</a></p>
        </aside>
      </div>
    `,
  });
}

/** Where the order goes: an address that the account keeps, or the one of the form. */
async function destinationOf(c: Ctx, values: Values) {
  const { api } = c.var;
  const { to = 'new' } = values;
  if (to.startsWith('addr_')) {
    const [me, { country, ...address }] = await Promise.all([
      api.users.getMe(),
      api.addresses.getAddress({ params: { addressId: to } }),
    ]);
    const recipient = { firstName: me.firstName, lastName: me.lastName };
    return { country, shown: { ...address, ...recipient, country }, ordered: { addressId: to, recipient } };
  }
  if (to.startsWith('cust_')) {
    const { address, firstName, lastName } = await api.customers.getCustomer({ params: { id: to } });
    const place = address ?? placeOf(values);
    return { country: place.country, shown: { firstName, lastName, ...place }, ordered: { customerId: to } };
  }
  const { firstName = '', lastName = '', company, phone } = values;
  const shippingAddress = { firstName, lastName, ...placeOf(values), company, phone };
  return { country: shippingAddress.country, shown: shippingAddress, ordered: { shippingAddress } };
}

async function howToPay(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t, language } = c.var;
  const cart = await sellable(c);
  if (!cart) return c.redirect('/cart', 303);
  const { country, shown } = await destinationOf(c, values);
  if (!country) return whereTo(c, values, error);
  const { data: options } = await api.carts.listCartShippingOptions({ params: { id: cart.id }, query: { country } });
  const option = options.find(({ id }) => id === values.shippingOptionId) ?? options[0];
  if (!option)
    return notePage(
      c,
      t('We do not ship this to {country}', { country: countryName(country, language) }),
      '',
      leadTo(c, '/checkout', 'Choose another address'),
      422,
    );
  const { quote, evaluation } = await quoteOf(c, cart, option, country);
  const method = values.method ?? 'card';
  const form = formOf(c, values, error);
  const total = c.var.money(quote.totals.total);
  return page(c, {
    title: t('Checkout'),
    body: html`
      ${heading(c, 2)}
      <form class="cart" method="post" action="/checkout">
        <div class="stack">
          ${form.problem}
          ${form.hidden('to', 'email', 'firstName', 'lastName', 'company', 'homeAddress', 'city', 'state', 'country', 'phone')}
          <input type="hidden" name="attempt" value="${crypto.randomUUID()}" />
          <input type="hidden" name="cartId" value="${cart.id}" />
          <input type="hidden" name="expectedTotal" value="${quote.expectedTotal.amount}" />
          <input type="hidden" name="currency" value="${quote.expectedTotal.currency}" />
          <section class="panel">
            <h2>${t('Goes to')}</h2>
            ${addressLines(c, shown)} ${values.email ? html`<p class="hint">${values.email}</p>` : nothing}
            <button class="link" name="step" value="address" formnovalidate>${t('Change')}</button>
          </section>
          <fieldset class="choices">
            <legend>${t('Delivery')}</legend>
            ${options.map(
              ({ id, name, price, deliveryDays }) =>
                html`<label class="choice">
                  <input
                    type="radio"
                    name="shippingOptionId"
                    value="${id}"
                    data-send-on-change
                    ${id === option.id ? html`checked` : nothing}
                  />
                  <span>${name}${deliveryDays ? html`<br /><small>${daysOf(t, deliveryDays)}</small>` : nothing}</span>
                  <span class="price">${price.amount === 0 ? t('free') : c.var.money(price)}</span>
                </label>`,
            )}
            ${options.length > 1 ? html`<button class="quiet no-script" name="step" value="review">${t('Update the total')}</button>` : nothing}
          </fieldset>
          ${payments(c, quote, method)}
          ${
            quote.payments.some(({ method, available }) => method === 'invoice' && available)
              ? form.field('reference', 'Your order number', {
                  optional: true,
                  maxlength: 100,
                  hint: 'It stands on the invoice.',
                })
              : nothing
          }
          ${form.field('note', 'A note for us', { optional: true, rows: 2, maxlength: 1000 })}
        </div>
        <aside class="sum">
          <h2>${t('Summary')}</h2>
          ${totals(c, quote, discounts(c, evaluation))}
          <p class="hint">
            ${t('With your order you accept our terms. You can return what you do not like within 14 days.')}
          </p>
          <p>
            <button class="wide" name="step" value="order">
              ${method === 'invoice' ? t('Order on account: {total}', { total }) : t('Order and pay {total}', { total })}
            </button>
          </p>
        </aside>
      </form>
    `,
  });
}

const daysOf = (t: Translate, { min, max }: { min: number; max: number }) =>
  max === 1 ? t('next working day') : t('{days} working days', { days: min === max ? max : `${min}–${max}` });

/** What the order would cost: campaigns know what shipping costs, and the quote what campaigns take off. */
async function quoteOf(c: Ctx, cart: Cart, option: { id: string; price: CartQuote['expectedTotal'] }, country: string) {
  const evaluation = await evaluate(c, cart, option.price);
  const known = evaluation && { lines: evaluation.lines, shippingDiscount: evaluation.shippingDiscount };
  const quote = await c.var.api.carts.quoteCart({
    params: { id: cart.id },
    body: { shippingOptionId: option.id, country, evaluation: known },
  });
  return { quote, evaluation };
}

function payments(c: Ctx, { payments }: CartQuote, chosen: string): Html {
  const { t } = c.var;
  const possible = payments.filter(({ available }) => available);
  return html`<fieldset class="choices">
    <legend>${t('Payment')}</legend>
    ${possible.map(
      ({ method }) =>
        html`<label class="choice">
          <input type="radio" name="method" value="${method}" ${method === chosen ? html`checked` : nothing} required />
          <span
            >${method === 'card' ? t('By card, on the page of our payment provider') : t('On account, by invoice')}</span
          >
        </label>`,
    )}
  </fieldset>`;
}

type Priced = Pick<CartQuote, 'totals' | 'taxIncluded' | 'reverseCharge'> & { shipping: { name: string } };

export function totals(c: Ctx, priced: Priced, off: readonly TotalsRow[]): Html {
  const { t, money } = c.var;
  const { totals, shipping, taxIncluded, reverseCharge } = priced;
  return totalsOf([
    [t('Goods'), money(totals.subtotal)],
    [shipping.name, money(totals.shipping)],
    ...off,
    taxIncluded ? undefined : [t('Tax'), money(totals.tax)],
    [t('Total'), money(totals.total), 'total'],
    taxIncluded ? [t('of which tax'), money(totals.tax), 'hint'] : undefined,
    reverseCharge ? [t('You owe the tax in your country (reverse charge).'), '', 'hint'] : undefined,
  ]);
}

/**
 * Sends the order. A form that is sent twice is one order: the API answers the second one like the first, by the key that the
 * page has made. A refusal shows the page again, with the new total or with the fields that are wrong.
 */
async function order(c: Ctx, values: Values): Promise<Response> {
  const { api, session, shop } = c.var;
  const { ordered } = await destinationOf(c, values);
  const { cartId = '', shippingOptionId = '', email, note, reference, currency = '', attempt = '' } = values;
  const method = values.method === 'invoice' ? 'invoice' : 'card';
  const body: OrderCreation = {
    cartId,
    shippingOptionId,
    ...ordered,
    email: session.isOpen ? undefined : email,
    note,
    reference,
    payment: { method },
    returnUrl: `${shop.url}/checkout/done`,
    expectedTotal: { amount: Number(values.expectedTotal), currency },
  };
  const once = /^[\w-]{36}$/.test(attempt) ? { idempotencyKey: attempt, retries: 4 } : {};
  const sentOrder = await api.try.orders.createOrder({ body }, once);
  if (!sentOrder.ok) return refused(c, values, problemOfForm(sentOrder.error));
  const { id, orderSecret, status } = sentOrder.data;
  if (orderSecret) session.rememberOrder(id, orderSecret);
  // With much to do, the API answers before everything is reserved.
  const made = status === 'pending' ? await readOrder(c, id, (order) => order.status === 'pending') : undefined;
  if (made?.refusal) {
    const { code, detail } = made.refusal;
    return refused(c, values, new ApiError(code, detail, { status: 422 }));
  }
  session.cartId = undefined;
  // The page of the order leads on to the payment: `form-action 'self'` lets no form end on another site.
  return c.redirect(`/orders/${id}${method === 'card' ? '?pay=1' : ''}`, 303);
}

function refused(c: Ctx, values: Values, error: ApiError<string>): Response | Promise<Response> {
  if (error.code === 'out_of_stock') return c.redirect('/cart?done=short', 303);
  const isAboutAddress = error.errors.some(({ pointer }) => /^\/(shippingAddress|email)/.test(pointer));
  return (isAboutAddress ? whereTo : howToPay)(c, values, error);
}
