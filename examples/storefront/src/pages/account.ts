import type { Hono } from 'hono';
import type { ApiError, Order } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { nameFields, phoneField } from '../parts/address.ts';
import { formOf, formPage, narrowForm, narrowPage, type Values } from '../parts/form.ts';
import { nextLink, table } from '../parts/lists.ts';
import { totalsOf } from '../parts/totals.ts';
import { orderStates } from './orders.ts';

/** The overview with the name, and the orders. */
export function accountPages(app: Hono<Env>): void {
  formPage(app, '/account', overview, async (c, { firstName = '', lastName = '', phone = null }) => {
    await c.var.api.users.changeMe({ body: { firstName, lastName, phone, locale: c.var.language } });
    return c.redirect('/account?done=saved', 303);
  });

  // The session of an applicant whom the shop has asked for more may do this alone.
  formPage(app, '/account/resubmit', resubmit, async (c, { note = '–', vatNumber }) => {
    await c.var.api.tradeAccounts.resubmitTradeAccount({ body: { note, vatNumber } });
    c.var.session.end();
    return c.redirect('/?done=saved', 303);
  });

  app.get('/account/orders', async (c) => {
    const query = { limit: 20, cursor: c.req.query('cursor') };
    const { data, nextCursor } = await c.var.api.orders.listOrders({ query });
    return accountPage(c, 'Orders', html`${orderList(c, data)} ${nextLink(c, nextCursor, 'Older ones')}`);
  });
}

async function overview(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t, money } = c.var;
  const [me, { data: orders }] = await Promise.all([api.users.getMe(), api.orders.listOrders({ query: { limit: 3 } })]);
  const { firstName, lastName, email, phone, trade } = me;
  const credit = me.role === 'trade' ? await api.invoices.getOwnCredit() : undefined;
  const form = formOf(c, { firstName, lastName, phone: phone ?? '', ...values }, error);
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
        ${narrowForm(c, '/account', form, {
          heading: html`<h2>${t('Your name')}</h2>`,
          fields: html`${nameFields(form)} ${phoneField(form, true)}`,
          button: 'Save',
        })}
      </section>
    `,
  );
}

function orderList(c: Ctx, orders: readonly Order[]): Html {
  const { t, money, date } = c.var;
  if (orders.length === 0) return html`<p>${t('You have not ordered anything yet.')}</p>`;
  return table(
    c,
    'Orders',
    [['Order'], ['Day'], ['State'], ['Total', 'number']],
    orders.map(({ id, number, createdAt, status, totals }) => [
      html`<a href="/orders/${id}">${number ?? t('Order')}</a>`,
      date(createdAt),
      t(orderStates[status]),
      money(totals.total),
    ]),
  );
}

/** For a trade applicant whom the shop has asked for more. */
function resubmit(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const form = formOf(c, values, error);
  return narrowPage(c, '/account/resubmit', form, {
    title: 'Trade account',
    heading: 'We have a question about your application',
    fields: html`${form.field('note', 'Your answer', { rows: 3, maxlength: 1000 })}
    ${form.field('vatNumber', 'VAT number', { optional: true, maxlength: 32 })}`,
    button: 'Send it again',
  });
}
