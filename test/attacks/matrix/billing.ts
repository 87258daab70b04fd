import { newId, type billingOperations } from '@storefront/contracts';
import { expectStatus, type Person } from '../system/people.ts';
import { id, type Id, type RowsOf } from './row.ts';
import { newInvoiceFor, type Fixtures } from './fixtures.ts';

const lines = [
  { description: 'Mugs', quantity: 3, unitPrice: { amount: 1099, currency: 'EUR' }, taxRate: 19 },
] as const;

/** The trade account that it is about: the caller's own, or that of the one whom staff deal with. */
const accountOf = ({ trade, otherTrade }: Fixtures, who: Person): Person => (who === otherTrade ? who : trade);

const issued = (fixtures: Fixtures, who: Person) => newInvoiceFor(fixtures, accountOf(fixtures, who));

const account = id('user', (fixtures, who) => accountOf(fixtures, who).id);
const invoice = id('inv', issued);
const accountInvoice: Id = {
  own: async (fixtures, who) => [accountOf(fixtures, who).id, await issued(fixtures, who)],
  random: () => [newId('user'), newId('inv')],
  missing: 'not_found',
};
/** Issues an invoice and credits it. Returns the ids of both. */
async function credited(fixtures: Fixtures, who: Person): Promise<[string, string]> {
  const invoiceId = await issued(fixtures, who);
  const call = { token: fixtures.admin.token, body: { reason: 'Broken' } };
  const note = await expectStatus(fixtures.system.call('POST', `/v1/invoices/${invoiceId}/credit-notes`, call), 201);
  return [invoiceId, note.id as string];
}
const creditNote: Id = { own: credited, random: () => [newId('inv'), newId('cn')], missing: 'not_found' };
const accountCreditNote: Id = {
  own: async (fixtures, who) => [accountOf(fixtures, who).id, ...(await credited(fixtures, who))],
  random: () => [newId('user'), newId('inv'), newId('cn')],
  missing: 'not_found',
};

const payment = id('pay', async (fixtures, who) => {
  const { token } = accountOf(fixtures, who);
  const body = { invoiceIds: [await issued(fixtures, who)] };
  return (await expectStatus(fixtures.system.call('POST', '/v1/payments', { token, body }), 201)).id as string;
});

/** A callback that was refused: nobody has signed it. */
const callback = id('cbk', async ({ system, admin: { token } }) => {
  await expectStatus(system.call('POST', '/v1/payments/callbacks/demo', { body: {} }), 401);
  const { data } = await expectStatus(system.call('GET', '/v1/payments/callbacks?limit=1', { token }), 200);
  return data[0].id as string;
});

const provider: Id = { own: () => 'demo', random: () => 'nobody', missing: 'route_not_found' };

export const billingRows: RowsOf<typeof billingOperations> = {
  getShopSettings: { access: 'staff', roles: ['catalog', 'marketing', 'sales', 'support'], ok: 200 },
  getOwnCredit: { access: 'trade', ok: 200 },
  getCredit: { access: 'staff', roles: ['sales', 'support'], ok: 200, id: account },
  setCredit: {
    access: 'staff',
    roles: ['sales'],
    ok: 200,
    id: account,
    body: () => ({ limit: null, termsDays: 30, hold: false }),
  },
  listInvoices: { access: 'user', roles: ['sales', 'support'], notForConsumers: true, ok: 200 },
  getInvoice: { access: 'trade', ok: 200, id: invoice },
  getInvoicePdf: { access: 'trade', ok: 200, id: invoice },
  getInvoiceXml: { access: 'trade', ok: 200, id: invoice },
  getCreditNotePdf: { access: 'trade', ok: 200, id: creditNote },
  getCreditNoteXml: { access: 'trade', ok: 200, id: creditNote },
  getStatement: { access: 'trade', ok: 200, query: 'from=2026-01-01&to=2027-01-01' },
  issueInvoice: { access: 'staff', roles: ['sales'], ok: 201, body: ({ trade }) => ({ accountId: trade.id, lines }) },
  issueCreditNote: { access: 'staff', roles: ['sales'], ok: 201, id: invoice, body: () => ({ reason: 'Broken' }) },
  voidInvoice: { access: 'staff', roles: ['sales'], ok: 200, id: invoice, body: () => ({ reason: 'Twice' }) },
  listAccountInvoices: { access: 'staff', roles: ['sales', 'support'], ok: 200, id: account },
  getAccountInvoice: { access: 'staff', roles: ['sales', 'support'], ok: 200, id: accountInvoice },
  getAccountInvoicePdf: { access: 'staff', roles: ['sales', 'support'], ok: 200, id: accountInvoice },
  getAccountCreditNote: { access: 'staff', roles: ['sales', 'support'], ok: 200, id: accountCreditNote },
  getAccountCreditNotePdf: { access: 'staff', roles: ['sales', 'support'], ok: 200, id: accountCreditNote },
  listPayments: { access: 'user', roles: ['sales', 'support'], notForConsumers: true, ok: 200 },
  getPayment: { access: 'user', roles: ['sales', 'support'], notForConsumers: true, ok: 200, id: payment },
  // An invoice of another account is none that can be paid.
  createPayment: {
    access: 'trade',
    ok: ({ id: caller }, { trade }) => (caller === trade.id ? 201 : [400, 'validation_failed']),
    body: ({ invoiceId }) => ({ invoiceIds: [invoiceId] }),
  },
  // It waits for its money.
  allocatePayment: {
    access: 'staff',
    roles: ['sales'],
    ok: [409, 'nothing_to_allocate'],
    id: payment,
    body: ({ trade }) => ({ accountId: trade.id }),
  },
  receiveCallback: { access: 'public', ok: [401, 'bad_signature'], id: provider },
  listCallbacks: { access: 'staff', roles: ['sales'], ok: 200 },
  getCallback: { access: 'staff', roles: ['sales'], ok: 200, id: callback },
  replayCallback: { access: 'staff', roles: ['sales'], ok: [409, 'callback_not_replayable'], id: callback },
};
