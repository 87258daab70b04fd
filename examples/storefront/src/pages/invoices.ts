import type { Hono } from 'hono';
import { isProblem, type Invoice } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { passOn } from '../parts/file.ts';
import { sent } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
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
    const { api, t } = c.var;
    const cursor = c.req.query('cursor');
    const found = await api.try.invoices.listInvoices({ query: { limit: 20, ...(cursor && { cursor }) } });
    if (!found.ok) {
      if (!isProblem(found.error, 'trade_account_required')) throw found.error;
      return accountPage(
        c,
        'Invoices',
        html`<p>${t('Invoices are for trade accounts.')} <a href="/trade">${t('Apply for a trade account')}</a></p>`,
      );
    }
    const { data, nextCursor } = found.data;
    return accountPage(
      c,
      'Invoices',
      html`${data.length === 0 ? html`<p>${t('There are no invoices yet.')}</p>` : table(c, data)}
      ${nextCursor ? html`<p><a class="button quiet" href="?cursor=${encodeURIComponent(nextCursor)}">${t('Older ones')}</a></p>` : nothing}`,
    );
  });

  app.get('/invoices/:id', async (c) =>
    show(c, await c.var.api.invoices.getInvoice({ params: { id: c.req.param('id') } })),
  );

  app.get('/invoices/:id/pdf', async (c) =>
    passOn(c, await c.var.api.invoices.getInvoicePdf.response({ params: { id: c.req.param('id') } })),
  );

  app.get('/invoices/:id/xml', async (c) =>
    passOn(c, await c.var.api.invoices.getInvoiceXml.response({ params: { id: c.req.param('id') } })),
  );

  app.post('/invoices/pay', async (c) => {
    const { invoice = '' } = await sent(c);
    const { redirectUrl } = await c.var.api.payments.createPayment({ body: { invoiceIds: [invoice] } });
    const { t } = c.var;
    return page(c, {
      title: t('Pay now'),
      body: html`<div class="empty">
        <h1>${t('Pay now')}</h1>
        <p>${t('You pay on the page of our payment provider.')}</p>
        <p><a class="button" href="${redirectUrl ?? '/invoices'}" data-follow>${t('On to the payment')}</a></p>
      </div>`,
    });
  });
}

function table(c: Ctx, invoices: readonly Invoice[]): Html {
  const { t, money, date } = c.var;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${t('Invoices')}">
    <table class="plain">
      <thead>
        <tr>
          <th>${t('Invoice')}</th>
          <th>${t('Due')}</th>
          <th>${t('State')}</th>
          <th class="number">${t('Total')}</th>
          <th class="number">${t('Left to pay')}</th>
        </tr>
      </thead>
      <tbody>
        ${invoices.map(
          ({ id, number, dueAt, status, total, balance }) =>
            html`<tr>
              <td><a href="/invoices/${id}">${number}</a></td>
              <td>${date(dueAt)}</td>
              <td class="${status === 'overdue' ? 'wrong' : ''}">${t(states[status])}</td>
              <td class="number">${money(total)}</td>
              <td class="number">${money(balance)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
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
        <div class="scroll" role="region" tabindex="0" aria-label="${t('Goods')}">
          <table class="plain">
            <thead>
              <tr>
                <th>${t('Goods')}</th>
                <th class="number">${t('Quantity')}</th>
                <th class="number">${t('Price')}</th>
                <th class="number">${t('Net')}</th>
              </tr>
            </thead>
            <tbody>
              ${lines.map(
                ({ description, quantity, unitPrice, net }) =>
                  html`<tr>
                    <td>${description}</td>
                    <td class="number">${quantity}</td>
                    <td class="number">${money(unitPrice)}</td>
                    <td class="number">${money(net)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
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
