import { ApiError, type Cart, type CartQuote, type CartShippingOptions, type OrderCreation } from '@storefront/client';
import { evaluate, fitCart, isShort, readCart } from '../cart.ts';
import { html, type App, type Ctx, type Html } from '../context.ts';
import { countryName, homeCountry } from '../countries.ts';
import { readOrder } from '../order.ts';
import { addressLines, placeOf } from '../parts/address.ts';
import { formOf, formPage, type Form, type Values } from '../parts/form.ts';
import { leadTo, notePage, page } from '../parts/layout.ts';
import { choices, pairList, type Pair } from '../parts/lists.ts';
import { problemOfForm } from '../parts/problems.ts';
import { discounts, lineSentence } from './cart.ts';

/**
 * The checkout has two steps: where to, and then how it is shipped and paid. The second page has the fields of the first
 * one hidden in its form, so nothing personal is kept on the way, and everything works without a script.
 */
export function checkoutPages(app: App): void {
  formPage(app, '/checkout', whereTo, async (c, values) => {
    // The shopper has logged out in another tab: as a guest's, the order would not be the account's.
    if (values.account && !c.var.session.isOpen) throw loginOver();
    if (values.step === 'order') return order(c, values);
    if (values.step === 'fit') await fitCart(c);
    return (values.step === 'address' ? whereTo : howToPay)(c, formOf(c, values));
  });

  // The payment page leads back here. The API has added which order it was about.
  app.get('/checkout/done', (c) => c.redirect(`/orders/${encodeURIComponent(c.req.query('order') ?? '')}?paid=1`, 303));
}

type ShippingOption = CartShippingOptions['data'][number];

const loginOver = () => new ApiError('authentication_required', 'The login is over.', { status: 401 });

async function sellable(c: Ctx): Promise<Cart | undefined> {
  const cart = await readCart(c);
  // The API answers as it does to a guest, and so the order would not be the account's.
  if (c.req.method === 'POST' && c.var.session.hasEnded) throw loginOver();
  return cart?.lines.some(({ problem }) => problem !== 'unavailable') ? cart : undefined;
}

/** Says in a form whose order it is about, which the session alone does not say any more when it is sent. */
const ofAccount = ({ var: { session } }: Ctx): Html =>
  session.isOpen && html`<input type="hidden" name="account" value="yes" />`;

/** A page of the checkout: its form, beside what it is about. */
function stepPage(c: Ctx, step: 1 | 2, content: Html): Promise<Response> {
  const { t } = c.var;
  const current = html`aria-current="step"`;
  const body = html`
    <h1>${t('Checkout')}</h1>
    <ol class="steps">
      <li ${step === 1 && current}>${t('Where to')}</li>
      <li ${step === 2 && current}>${t('Delivery and payment')}</li>
    </ol>
    ${content}
  `;
  return page(c, t('Checkout'), body);
}

async function whereTo(c: Ctx, typed: Form): Promise<Response> {
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
  const { firstName = '', lastName = '', trade } = me ?? {};
  const known = [
    ...(addresses?.data ?? []).map(({ id, ...address }) => ({ id, ...address, firstName, lastName })),
    ...(recipients?.data ?? []).flatMap(({ id, firstName, lastName, address }) =>
      address ? [{ id, ...address, firstName, lastName, isDefault: false }] : [],
    ),
  ];
  const form = typed.startingWith({ country: homeCountry, firstName, lastName, company: trade?.businessName ?? '' });
  const first = known.find(({ isDefault }) => isDefault) ?? known[0];
  const chosen = form.values.to ?? first?.id ?? 'new';
  const place = html`${form.fields(['firstName', 'lastName'], 'company', 'homeAddress', ['city', 'country'])}
  ${form.field('phone', { hint: 'For questions about the delivery only.' })}`;
  const places = [
    ...known.map(({ id, ...address }) => ({ value: id, text: addressLines(c, address) })),
    { value: 'new', text: t('Another address') },
  ].map((each) => ({ ...each, name: 'to', isChosen: each.value === chosen }));
  const body = html`<div class="cart">
    <form method="post" action="/checkout" class="stack" ${known.length > 0 && 'novalidate'}>
      ${form.problem} ${ofAccount(c)} ${form.hidden('shippingOptionId', 'method', 'reference', 'note')}
      ${
        !me &&
        html`<p class="hint">
            <a href="/login?next=/checkout">${t('Log in')}</a>
            ${t('to order with your account, or go on as a guest.')}
          </p>
          ${form.field('email')}`
      }
      ${known.length > 0 ? choices(t('Where to'), places, html`<div class="when-new">${place}</div>`) : place}
      <p><button class="wide">${t('On to delivery and payment')}</button></p>
    </form>
    <aside class="sum">
      <h2>${t('Your cart')}</h2>
      ${pairList(
        cart.lines.map(({ name, values, quantity, subtotal }) => [
          `${quantity} × ${[name, ...values].join(', ')}`,
          money(subtotal),
        ]),
      )}
      <p><a href="/cart">${t('Change the cart')}</a></p>
    </aside>
  </div>`;
  return stepPage(c, 1, body);
}

/** Where the order goes: an address that the account keeps, or the one of the form. */
async function destinationOf(c: Ctx, values: Values) {
  const { api } = c.var;
  const { to = 'new' } = values;
  if (to.startsWith('addr_')) {
    const [{ firstName, lastName }, address] = await Promise.all([
      api.users.getMe(),
      api.addresses.getAddress({ params: { addressId: to } }),
    ]);
    const recipient = { firstName, lastName };
    return { shown: { ...address, ...recipient }, ordered: { addressId: to, recipient } };
  }
  if (to.startsWith('cust_')) {
    const { address, firstName, lastName } = await api.customers.getCustomer({ params: { id: to } });
    return { shown: { firstName, lastName, ...(address ?? placeOf(values)) }, ordered: { customerId: to } };
  }
  const { firstName = '', lastName = '', company, phone } = values;
  const shippingAddress = { firstName, lastName, ...placeOf(values), company, phone };
  return { shown: shippingAddress, ordered: { shippingAddress } };
}

async function howToPay(c: Ctx, form: Form): Promise<Response> {
  const { api, t, language, money } = c.var;
  const { values } = form;
  const cart = await sellable(c);
  if (!cart) return c.redirect('/cart', 303);
  const { shown } = await destinationOf(c, values);
  const { country } = shown;
  if (!country) return whereTo(c, form);
  const { data: options } = await api.carts.listCartShippingOptions({ params: { id: cart.id }, query: { country } });
  const option = options.find(({ id }) => id === values.shippingOptionId) ?? options[0];
  if (!option) {
    c.status(422);
    const title = t('We do not ship this to {country}', { country: countryName(country, language) });
    return notePage(c, title, '', leadTo(c, '/checkout', 'Choose another address'));
  }
  const { quote, evaluation } = await quoteOf(c, cart, option, country);
  const methods = quote.payments.filter(({ available }) => available).map((payment) => payment.method);
  const method = methods.find((each) => each === values.method) ?? methods[0];
  const total = money(quote.totals.total);
  const short = cart.lines.filter(isShort);
  const body = html`<form class="cart" method="post" action="/checkout">
    <div class="stack">
      ${short.length > 0 ? shortage(c, short) : form.problem} ${ofAccount(c)}
      ${form.hidden('to', 'email', 'firstName', 'lastName', 'company', 'homeAddress', 'city', 'state', 'country', 'phone')}
      <input type="hidden" name="attempt" value="${crypto.randomUUID()}" />
      <input type="hidden" name="cartId" value="${cart.id}" />
      <input type="hidden" name="expectedTotal" value="${quote.expectedTotal.amount}" />
      <input type="hidden" name="currency" value="${quote.expectedTotal.currency}" />
      <section class="panel">
        <h2>${t('Goes to')}</h2>
        ${addressLines(c, shown)} ${values.email && html`<p class="hint">${values.email}</p>`}
        <button class="link" name="step" value="address" formnovalidate>${t('Change')}</button>
      </section>
      ${choices(
        t('Delivery'),
        options.map((each) => ({
          name: 'shippingOptionId',
          value: each.id,
          isChosen: each.id === option.id,
          text: html`${each.name} <small>${daysOf(c, each)}</small>`,
          price: each.price.amount === 0 ? t('free') : money(each.price),
          attributes: html`data-send-on-change`,
        })),
        options.length > 1 &&
          html`<button class="quiet no-script" name="step" value="review">${t('Update the total')}</button>`,
      )}
      ${choices(
        t('Payment'),
        methods.map((each) => ({
          name: 'method',
          value: each,
          isChosen: each === method,
          text: each === 'card' ? t('By card, on the page of our payment provider') : t('On account, by invoice'),
          attributes: html`data-send-on-change`,
        })),
      )}
      ${methods.includes('invoice') && form.field('reference')} ${form.field('note')}
    </div>
    <aside class="sum">
      <h2>${t('Summary')}</h2>
      ${totals(c, quote, discounts(c, evaluation))}
      <p class="hint">
        ${t('With your order you accept our terms. You can return what you do not like within 14 days.')}
      </p>
      <p>
        ${
          short.length > 0
            ? html`<button class="wide" name="step" value="fit">${t('Go on with what is there')}</button>`
            : html`<button class="wide" name="step" value="order">
                ${method === 'invoice' ? t('Order on account: {total}', { total }) : t('Order and pay {total}', { total })}
              </button>`
        }
      </p>
    </aside>
  </form>`;
  return stepPage(c, 2, body);
}

/** Which lines are not there any more, or not as many as wanted. */
const shortage = (c: Ctx, lines: Cart['lines']): Html =>
  html`<div class="alert" role="alert">
    <p>${c.var.t('Something of your cart is not there in this quantity any more.')}</p>
    <ul>
      ${lines.map((line) => html`<li><b>${[line.name, ...line.values].join(', ')}</b>: ${lineSentence(c, line)}</li>`)}
    </ul>
    <p><a href="/cart">${c.var.t('Change the cart')}</a></p>
  </div>`;

function daysOf({ var: { t } }: Ctx, { deliveryDays }: ShippingOption): string {
  if (!deliveryDays) return '';
  const { min, max } = deliveryDays;
  return max === 1 ? t('next working day') : t('{days} working days', { days: min === max ? max : `${min}–${max}` });
}

/** What the order would cost: campaigns know what shipping costs, and the quote what campaigns take off. */
async function quoteOf(c: Ctx, cart: Cart, option: ShippingOption, country: string) {
  const evaluation = await evaluate(c, cart, option.price);
  const known = evaluation && { lines: evaluation.lines, shippingDiscount: evaluation.shippingDiscount };
  const quote = await c.var.api.carts.quoteCart({
    params: { id: cart.id },
    body: { shippingOptionId: option.id, country, evaluation: known },
  });
  return { quote, evaluation };
}

type Priced = Pick<CartQuote, 'totals' | 'taxIncluded' | 'reverseCharge'> & { shipping: { name: string } };

export function totals(c: Ctx, priced: Priced, off: readonly Pair[]): Html {
  const { t, money } = c.var;
  const { totals, shipping, taxIncluded, reverseCharge } = priced;
  return pairList([
    [t('Goods'), money(totals.subtotal)],
    [shipping.name, money(totals.shipping)],
    ...off,
    !taxIncluded && [t('Tax'), money(totals.tax)],
    [t('Total'), money(totals.total), 'total'],
    taxIncluded && [t('of which tax'), money(totals.tax), 'hint'],
    reverseCharge && [t('You owe the tax in your country (reverse charge).'), '', 'hint'],
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

function refused(c: Ctx, values: Values, error: ApiError<string>): Promise<Response> | Response {
  const isAboutAddress = error.errors.some(({ pointer }) => /^\/(shippingAddress|email)/.test(pointer));
  return (isAboutAddress ? whereTo : howToPay)(c, formOf(c, values, error));
}
