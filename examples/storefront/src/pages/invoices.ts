import { isProblem, type Invoice, type Payment } from '@storefront/client';
import { html, type App, type Ctx, type Html } from '../context.ts';
import { passOn } from '../parts/file.ts';
import { accountPage, page } from '../parts/layout.ts';
import { nextLink, table, pairList } from '../parts/lists.ts';
import type { Sentence } from '../words/translate.ts';

const states = {
  open: 'open',
  paid: 'paid',
  overdue: 'overdue',
  void: 'void',
} as const satisfies Record<Invoice['status'], Sentence>;

/** What the page says when the provider has led back to it. */
const payments: Readonly<Partial<Record<Payment['status'], Sentence>>> = {
  pending: 'We have not heard of your payment yet.',
  succeeded: 'Thank you, your payment has arrived.',
  failed: 'This payment did not succeed. You can pay again.',
};

/** The invoices of a trade account: to read, to keep as PDF or e-invoice, and to pay. */
export function invoicePages(app: App): void {
  app.get('/invoices', async (c) => {
    const { api, t, money, date } = c.var;
    const found = await api.try.invoices.listInvoices({ query: { limit: 20, cursor: c.req.query('cursor') } });
    if (!found.ok) {
      if (!isProblem(found.error, 'trade_account_required')) throw found.error;
      const apply = html`<a href="/trade">${t('Apply for a trade account')}</a>`;
      return accountPage(c, 'Invoices', html`<p>${t('Invoices are for trade accounts.')} ${apply}</p>`);
    }
    const { data, nextCursor } = found.data;
    const rows = data.map(({ id, number, dueAt, status, total, balance }) => [
      html`<a href="/invoices/${id}">${number}</a>`,
      date(dueAt),
      html`<span class="${status === 'overdue' && 'wrong'}">${t(states[status])}</span>`,
      money(total),
      money(balance),
    ]);
    if (rows.length === 0) return accountPage(c, 'Invoices', html`<p>${t('There are no invoices yet.')}</p>`);
    const columns = [['Invoice'], ['Due'], ['State'], ['Total', 'number'], ['Left to pay', 'number']] as const;
    const all = table(c, 'Invoices', columns, rows);
    return accountPage(c, 'Invoices', html`${all} ${nextLink(c, nextCursor, 'Older ones')}`);
  });

  app.get('/invoices/:id', async (c) => {
    const { api } = c.var;
    const payment = c.req.query('payment');
    const paid = payment ? await api.payments.getPayment({ params: { id: payment } }) : undefined;
    return show(c, await api.invoices.getInvoice({ params: { id: c.req.param('id') } }), paid);
  });

  app.get('/invoices/:id/:file{pdf|xml}', async (c) => {
    const { getInvoicePdf, getInvoiceXml } = c.var.api.invoices;
    const read = c.req.param('file') === 'pdf' ? getInvoicePdf : getInvoiceXml;
    return passOn(c, await read.response({ params: { id: c.req.param('id') } }));
  });

  // The page of the invoice leads on to the payment: `form-action 'self'` lets no form end on another site.
  app.post('/invoices/:id', async (c) => {
    const { api, shop } = c.var;
    const body = { invoiceIds: [c.req.param('id')], returnUrl: shop.url + c.req.path };
    const { id } = await api.payments.createPayment({ body });
    return c.redirect(`${c.req.path}?pay=1&payment=${id}`, 303);
  });
}

function show(c: Ctx, invoice: Invoice, payment: Payment | undefined): Promise<Response> {
  const { t, money, date } = c.var;
  const { id, number, status, issuedAt, dueAt, taxes, subtotal, total, balance, reference, buyer } = invoice;
  const isOnTheWay = c.req.query('pay') !== undefined;
  const payAt = isOnTheWay && payment?.redirectUrl;
  const body = html`
    <nav class="trail" aria-label="${t('Where you are')}">
      <a href="/account">${t('Account')}</a><a href="/invoices">${t('Invoices')}</a>
    </nav>
    <h1>${number}</h1>
    <p class="lead">
      ${date(issuedAt)} · ${t(states[status])} · ${t('due on {day}', { day: date(dueAt) })}
      ${reference && html`<br />${t('Your order number')}: ${reference}`}
    </p>
    ${payment && !isOnTheWay && cameBack(c, payment)}
    <div class="cart">
      ${table(
        c,
        'Goods',
        [['Goods'], ['Quantity', 'number'], ['Price', 'number'], ['Net', 'number']],
        invoice.lines.map((line) => [line.description, line.quantity, money(line.unitPrice), money(line.net)]),
      )}
      <aside class="sum">
        <h2>${t('Summary')}</h2>
        ${pairList([
          [t('Net'), money(subtotal)],
          ...taxes.map(({ rate, amount }) => [`${t('Tax')} ${rate} %`, money(amount)] as const),
          [t('Total'), money(total), 'total'],
          [t('Left to pay'), money(balance)],
        ])}
        <p><b>${buyer.businessName}</b><br />${buyer.address.split('\n').map((line) => html`${line}<br />`)}</p>
        <form class="stack" method="post" action="/invoices/${id}">
          ${
            payAt
              ? html`<a class="button" href="${payAt}" data-follow>${t('On to the payment')}</a>
                  <p class="hint">${t('You pay on the page of our payment provider.')}</p>`
              : balance.amount > 0 && status !== 'void' && html`<button>${t('Pay now')}</button>`
          }
          <a class="button quiet" href="/invoices/${id}/pdf">${t('Invoice (PDF)')}</a>
          <a href="/invoices/${id}/xml">${t('E-invoice (XML)')}</a>
        </form>
      </aside>
    </div>
  `;
  return page(c, number, body);
}

/** What came of the payment from which somebody comes back. */
function cameBack(c: Ctx, { status }: Payment): Html {
  const { t } = c.var;
  const sentence = payments[status];
  const again = status === 'pending' && html`<a href="">${t('Look again')}</a>`;
  return sentence && html`<p class="notice" role="status">${t(sentence)} ${again}</p>`;
}
