import type { Hono } from 'hono';
import type { Order } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { nameFields } from '../parts/address.ts';
import { formOf, sent } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
import { totalsOf } from '../parts/totals.ts';
import { orderStates } from './orders.ts';

/** The overview with the name, and the orders. */
export function accountPages(app: Hono<Env>): void {
  app.get('/account', async (c) => {
    const { api, t, money } = c.var;
    const [me, { data: orders }] = await Promise.all([
      api.users.getMe(),
      api.orders.listOrders({ query: { limit: 3 } }),
    ]);
    const credit = me.role === 'trade' ? await api.invoices.getOwnCredit() : undefined;
    const { firstName, lastName, email, trade } = me;
    const form = formOf(c, { firstName, lastName, phone: me.phone ?? '' });
    return accountPage(
      c,
      'Overview',
      html`
        <p class="lead">${t('Good to see you, {name}.', { name: firstName })} ${email}</p>
        ${
          credit
            ? html`<section class="panel">
                <h2>${trade?.businessName ?? ''}</h2>
                ${totalsOf([
                  credit.available ? [t('Credit that is left'), money(credit.available)] : undefined,
                  [t('You owe'), money(credit.outstanding)],
                  [t('of which overdue'), money(credit.overdue)],
                ])}
                <a href="/invoices">${t('To the invoices')}</a>
              </section>`
            : nothing
        }
        <section>
          <h2>${t('Last orders')}</h2>
          ${orderList(c, orders)}
        </section>
        <section>
          <h2>${t('Your name')}</h2>
          <form class="stack narrow" method="post" action="/account">
            ${nameFields(form)}
            ${form.field('phone', 'Phone', { type: 'tel', autocomplete: 'tel', optional: true, maxlength: 32 })}
            <button>${t('Save')}</button>
          </form>
        </section>
      `,
    );
  });

  app.post('/account', async (c) => {
    const { firstName = '', lastName = '', phone = null } = await sent(c);
    await c.var.api.users.changeMe({ body: { firstName, lastName, phone, locale: c.var.language } });
    return c.redirect('/account?done=saved', 303);
  });

  // The session of an applicant whom the shop has asked for more may do this alone.
  app.get('/account/resubmit', (c) => page(c, { title: c.var.t('Trade account'), body: resubmit(c) }));

  app.post('/account/resubmit', async (c) => {
    const { note = '–', vatNumber } = await sent(c);
    await c.var.api.tradeAccounts.resubmitTradeAccount({ body: { note, ...(vatNumber && { vatNumber }) } });
    c.var.session.end();
    return c.redirect('/?done=saved', 303);
  });

  app.get('/account/orders', async (c) => {
    const { api, t } = c.var;
    const cursor = c.req.query('cursor');
    const { data, nextCursor } = await api.orders.listOrders({ query: { limit: 20, ...(cursor && { cursor }) } });
    return accountPage(
      c,
      'Orders',
      html`${orderList(c, data)}
      ${nextCursor ? html`<p><a class="button quiet" href="?cursor=${encodeURIComponent(nextCursor)}">${t('Older ones')}</a></p>` : nothing}`,
    );
  });
}

function orderList(c: Ctx, orders: readonly Order[]): Html {
  const { t, money, date } = c.var;
  if (orders.length === 0) return html`<p>${t('You have not ordered anything yet.')}</p>`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${t('Orders')}">
    <table class="plain">
      <thead>
        <tr>
          <th>${t('Order')}</th>
          <th>${t('Day')}</th>
          <th>${t('State')}</th>
          <th class="number">${t('Total')}</th>
        </tr>
      </thead>
      <tbody>
        ${orders.map(
          ({ id, number, createdAt, status, totals }) =>
            html`<tr>
              <td><a href="/orders/${id}">${number ?? t('Order')}</a></td>
              <td>${date(createdAt)}</td>
              <td>${t(orderStates[status])}</td>
              <td class="number">${money(totals.total)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** For a trade applicant whom the shop has asked for more. */
function resubmit(c: Ctx): Html {
  const form = formOf(c);
  return html`<form class="stack narrow" method="post" action="/account/resubmit">
    <h1>${c.var.t('We have a question about your application')}</h1>
    ${form.field('note', 'Your answer', { rows: 3, maxlength: 1000 })}
    ${form.field('vatNumber', 'VAT number', { optional: true, maxlength: 32 })}
    <button>${c.var.t('Send it again')}</button>
  </form>`;
}
