import { type Reply, isSuccess } from '../client.ts';
import { taxRate } from '../invoices/buyers.ts';
import type { AskedInvoice, SentEvent, TestInvoices } from '../invoices/invoices.ts';
import type { ProviderEvent } from '../invoices/provider.ts';
import type { Entry } from '../ledger.ts';
import type { TestOperation, VirtualUser } from './operation.ts';

const needs = { invoices: true } as const;
const mostRepetitions = 4;

const issue: TestOperation = {
  name: 'issue an invoice',
  weight: 10,
  needs,
  async run(user, entry) {
    const { invoices, buyers } = testInvoicesOf(user);
    const buyer = user.random.pick(buyers);
    const orderRef = user.unique('invoice');
    const net = user.random.between(1, 20_000);
    const invoice: AskedInvoice = { buyer, orderRef, total: withTax(net), state: 'unclear' };
    invoices.push(invoice);
    const lines = [{ description: 'Tea', quantity: 1, unitPrice: { amount: net, currency: 'EUR' }, taxRate }];
    const body = { accountId: buyer.id, lines, orderRef };
    const reply = await user.admin.call('POST', '/v1/invoices', { body, key: user.unique('key') });
    if (!acknowledged(entry, `invoice of ${orderRef}`, reply)) return;
    invoice.state = 'acknowledged';
    invoice.stored = { id: reply.body.id, number: reply.body.number };
    if (reply.body.total.amount !== invoice.total)
      entry.violated(`invoice of ${orderRef}`, `${invoice.total} cents`, `${reply.body.total.amount}`);
  },
};

const order: TestOperation = {
  name: 'place an order on account',
  weight: 6,
  needs,
  async run(user, entry) {
    const { invoices, buyers, placeOrder } = testInvoicesOf(user);
    const buyer = user.random.pick(buyers);
    const orderRef = user.unique('order-on-account');
    const net = user.random.between(1, 20_000);
    const invoice: AskedInvoice = { buyer, orderRef, total: withTax(net), state: 'unclear' };
    invoices.push(invoice);
    // An order system that gets no confirmation publishes again.
    const isPublished = (await placeOrder({ orderRef, buyer, net })) || (await placeOrder({ orderRef, buyer, net }));
    if (!isPublished) return;
    entry.acknowledged();
    invoice.state = 'acknowledged';
  },
};

const credit: TestOperation = {
  name: 'credit an invoice',
  weight: 3,
  needs,
  async run(user, entry) {
    const invoice = anyStored(user);
    if (!invoice) return;
    const reply = await user.admin.call('POST', `/v1/invoices/${invoice.id}/credit-notes`, {
      body: { lines: [{ line: 0, quantity: 0.25 }], reason: 'Broken' },
      key: user.unique('key'),
    });
    const isRefusal = reply.code === 'nothing_to_credit' || reply.code === 'invoice_void';
    if (!isRefusal) acknowledged(entry, `credit note of ${invoice.number}`, reply);
  },
};

const voidOne: TestOperation = {
  name: 'void an invoice',
  weight: 2,
  needs,
  async run(user, entry) {
    // The payment of a voided invoice would be kept as unallocated money.
    const { sent, voided } = testInvoicesOf(user);
    const invoice = anyStored(user);
    if (!invoice || sent.some(({ invoiceNumber }) => invoiceNumber === invoice.number)) return;
    voided.add(invoice.number);
    const reply = await user.admin.call('POST', `/v1/invoices/${invoice.id}/void`, {
      body: {},
      key: user.unique('key'),
    });
    if (reply.code !== 'invoice_not_voidable') acknowledged(entry, `void ${invoice.number}`, reply);
  },
};

const pay: TestOperation = {
  name: 'report a payment',
  weight: 12,
  needs,
  async run(user, entry) {
    const invoice = anyStored(user);
    if (!invoice || testInvoicesOf(user).voided.has(invoice.number)) return;
    // A part of it, all of it, or more.
    const amount = user.random.pick([Math.ceil(invoice.total / 3), invoice.total, invoice.total + 100]);
    const reference = user.unique('transfer');
    const succeeded = { type: 'payment.succeeded', invoiceNumber: invoice.number, reference, amount } as const;
    const events = [{ ...succeeded, id: user.unique('event') }];
    const isRefunded = user.random.between(1, 4) === 1;
    const refund = {
      ...succeeded,
      type: 'payment.refunded',
      id: user.unique('event'),
      amount: Math.ceil(amount / 2),
    } as const;
    // A provider may report a refund before the payment that is refunded.
    const reported = isRefunded
      ? user.random.pick([
          [...events, refund],
          [refund, ...events],
        ])
      : events;
    for (const event of reported) await send(user, entry, event);
  },
};

/** Sends the event once or several times, as providers do. */
async function send(user: VirtualUser, entry: Entry, event: ProviderEvent): Promise<void> {
  const { provider, sent } = testInvoicesOf(user);
  const record: SentEvent = { ...event, acknowledged: 0, unclear: 0 };
  sent.push(record);
  const times = user.random.between(1, mostRepetitions);
  for (let time = 0; time < times; time += 1) {
    const { isAcknowledged, unclearTries, status } = await provider.send(event);
    record.unclear += unclearTries;
    if (isAcknowledged) {
      record.acknowledged += 1;
      entry.acknowledged();
    } else if (status >= 400 && status < 500 && status !== 401)
      entry.violated(`callback ${event.id}`, 'taken', String(status));
  }
}

export const invoices: readonly TestOperation[] = [issue, order, credit, voidOne, pay];

function testInvoicesOf({ invoices: shared }: VirtualUser): TestInvoices {
  if (!shared) throw new Error('this run has no invoices');
  return shared;
}

/** An invoice whose answer has come. */
function anyStored(
  user: VirtualUser,
): { readonly id: string; readonly number: string; readonly total: number } | undefined {
  const stored = testInvoicesOf(user).invoices.flatMap(({ stored: answered, total }) =>
    answered ? [{ ...answered, total }] : [],
  );
  return stored.length === 0 ? undefined : user.random.pick(stored.slice(-60));
}

function acknowledged(entry: Entry, what: string, reply: Reply): boolean {
  if (isSuccess(reply)) entry.acknowledged();
  else if (reply.status >= 400 && reply.status < 500) entry.violated(what, 'done', `${reply.status} ${reply.code}`);
  return isSuccess(reply);
}

/** What an invoice of one line comes to: the tax is rounded half up. */
function withTax(net: number): number {
  return net + Math.floor((net * taxRate + 50) / 100);
}
