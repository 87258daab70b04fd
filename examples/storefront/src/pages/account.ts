import type { Order } from '@storefront/client';
import { html, type App, type Ctx, type Html } from '../context.ts';
import { formPage, narrowForm, narrowPage, type Form } from '../parts/form.ts';
import { accountPage } from '../parts/layout.ts';
import { nextLink, table, pairList } from '../parts/lists.ts';
import { orderStates } from './orders.ts';

/** The overview with the name, and the orders. */
export function accountPages(app: App): void {
  formPage(app, '/account', overview, async (c, { firstName = '', lastName = '', phone = null }) => {
    await c.var.api.users.changeMe({ body: { firstName, lastName, phone, locale: c.var.language } });
    return 'saved';
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

async function overview(c: Ctx, typed: Form): Promise<Response> {
  const { api, t, money } = c.var;
  const [me, { data: orders }] = await Promise.all([
    api.users.getMe(),
    api.orders.listOrders({ query: { limit: 20 } }),
  ]);
  const { firstName, lastName, email, phone, trade } = me;
  const credit = me.role === 'trade' && (await api.invoices.getOwnCredit());
  const form = typed.startingWith({ firstName, lastName, phone: phone ?? '' });
  const creditPanel =
    credit &&
    html`<section class="panel">
      <h2>${trade?.businessName}</h2>
      ${pairList([
        credit.available && [t('Credit that is left'), money(credit.available)],
        [t('You owe'), money(credit.outstanding)],
        [t('of which overdue'), money(credit.overdue)],
      ])}
      <a href="/invoices">${t('To the invoices')}</a>
    </section>`;
  const body = html`
    <p class="lead">${t('Good to see you, {name}.', { name: firstName })} ${email}</p>
    ${creditPanel}
    <section>
      <h2>${t('Last orders')}</h2>
      ${orderList(c, orders, 3)}
    </section>
    ${narrowForm(c, '/account', form, {
      heading: html`<h2>${t('Your name')}</h2>`,
      fields: form.fields(['firstName', 'lastName'], 'phone'),
      button: 'Save',
    })}
  `;
  return accountPage(c, 'Overview', body);
}

/** The first `most` of these orders. What was refused is none to its buyer, who saw why and could send it again. */
function orderList(c: Ctx, all: readonly Order[], most = all.length): Html {
  const { t, money, date } = c.var;
  const orders = all.filter(({ status }) => status !== 'refused').slice(0, most);
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
function resubmit(c: Ctx, form: Form): Promise<Response> {
  return narrowPage(c, '/account/resubmit', form, {
    title: 'We have a question about your application',
    fields: html`${form.field('note', { label: 'Your answer', rows: 3, optional: false })} ${form.field('vatNumber')}`,
    button: 'Send it again',
  });
}
