import type { Hono } from 'hono';
import { isProblem, type Invoice } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { passOn } from '../parts/file.ts';
import { sent } from '../parts/form.ts';
import { notePage, page } from '../parts/layout.ts';
import { nextLink, table } from '../parts/lists.ts';
import { totalsOf } from '../parts/totals.ts';
import type { Sentence } from '../words/translate.ts';

const states = {
  open: 'open',
  paid: 'paid',
  overdue: 'overdue',
  void: 'void',
} as const satisfies Record<Invoice['status'], Sentence>;

/** The invoices of a trade account: to read, to keep as PDF or e-invoice, and to pay. */
export function invoicePages(app: Hono<Env>): void {
  app.get('/invoices', async (c) => {
    const { api, t, money, date } = c.var;
    const found = await api.try.invoices.listInvoices({ query: { limit: 20, cursor: c.req.query('cursor') } });
    if (!found.ok) {
      if (!isProblem(found.error, 'trade_account_required')) throw found.error;
      return accountPage(
        c,
        'Invoices',
        html`<p>${t('Invoices are for trade accounts.')} <a href="/trade">${t('Apply for a trade account')}</a></p>`,
      );
    }
    const { data, nextCursor } = found.data;
    const rows = data.map(({ id, number, dueAt, status, total, balance }) => [
      html`<a href="/invoices/${id}">${number}</a>`,
      date(dueAt),
      html`<span class="${status === 'overdue' ? 'wrong' : ''}">${t(states[status])}</span>`,
      money(total),
      money(balance),
    ]);
    const all = table(
      c,
      'Invoices',
      [['Invoice'], ['Due'], ['State'], ['Total', 'number'], ['Left to pay', 'number']],
      rows,
    );
    return accountPage(
      c,
      'Invoices',
      html`${data.length === 0 ? html`<p>${t('There are no invoices yet.')}</p>` : all}
      ${nextLink(c, nextCursor, 'Older ones')}`,
    );
  });

  app.get('/invoices/:id', async (c) =>
    show(c, await c.var.api.invoices.getInvoice({ params: { id: c.req.param('id') } })),
  );

  app.get('/invoices/:id/:file{pdf|xml}', async (c) => {
    const { getInvoicePdf, getInvoiceXml } = c.var.api.invoices;
    const read = c.req.param('file') === 'pdf' ? getInvoicePdf : getInvoiceXml;
    return passOn(c, await read.response({ params: { id: c.req.param('id') } }));
  });

  app.post('/invoices/pay', async (c) => {
    const { t } = c.var;
    const { invoice = '' } = await sent(c);
    const { redirectUrl } = await c.var.api.payments.createPayment({ body: { invoiceIds: [invoice] } });
    const onward = html`<a class="button" href="${redirectUrl ?? '/invoices'}" data-follow
      >${t('On to the payment')}</a
    >`;
    return notePage(c, t('Pay now'), t('You pay on the page of our payment provider.'), onward);
  });
}

function show(c: Ctx, invoice: Invoice): Promise<Response> {
  const { t, money, date } = c.var;
  const { id, number, status, issuedAt, dueAt, lines, taxes, subtotal, total, balance, reference, buyer } = invoice;
  return page(c, {
    title: number,
    body: html`
      <nav class="trail" aria-label="${t('Where you are')}">
        <a href="/account">${t('Account')}</a><a href="/invoices">${t('Invoices')}</a>
      </nav>
      <h1>${number}</h1>
      <p class="lead">
        ${date(issuedAt)} · ${t(states[status])} · ${t('due on {day}', { day: date(dueAt) })}
        ${reference ? html`<br />${t('Your order number')}: ${reference}` : nothing}
      </p>
      <div class="cart">
        ${table(
          c,
          'Goods',
          [['Goods'], ['Quantity', 'number'], ['Price', 'number'], ['Net', 'number']],
          lines.map(({ description, quantity, unitPrice, net }) => [
            description,
            quantity,
            money(unitPrice),
            money(net),
          ]),
        )}
        <aside class="sum">
          <h2>${t('Summary')}</h2>
          ${totalsOf([
            [t('Net'), money(subtotal)],
            ...taxes.map(({ rate, amount }) => [`${t('Tax')} ${rate} %`, money(amount)] as const),
            [t('Total'), money(total), 'total'],
            [t('Left to pay'), money(balance)],
          ])}
          <p><b>${buyer.businessName}</b><br />${buyer.address}</p>
          <form class="stack" method="post" action="/invoices/pay">
            ${balance.amount > 0 && status !== 'void' ? html`<button name="invoice" value="${id}">${t('Pay now')}</button>` : nothing}
            <a class="button quiet" href="/invoices/${id}/pdf">${t('Invoice (PDF)')}</a>
            <a href="/invoices/${id}/xml">${t('E-invoice (XML)')}</a>
          </form>
        </aside>
      </div>
    `,
  });
}
