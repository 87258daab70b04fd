import { billingEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop } from '../shop.ts';

type Publish = (event: Event) => void;

const dayMs = 24 * 60 * 60_000;
const dateOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const party = { businessName: 'Lovelace Ltd', address: 'Hauptstraße 1', country: 'DE', vatNumber: null };

/**
 * An invoice is issued, with or without an order. Then its open balance changes until the invoice is paid, overdue,
 * credited or void.
 */
export function publishInvoice(shop: Shop, publish: Publish): void {
  const { random, chance } = shop;
  const buyer = random.pick(shop.users);
  const id = shop.id('inv');
  const currency = shop.currencyOf(shop);
  const number = `INV-${random.between(1, 1_000_000)}`;
  const issued = shop.moment();
  const issuedOn = dateOf(issued);
  const termsDays = random.pick([0, 14, 30]);
  const dueOn = dateOf(issued + termsDays * dayMs);
  const lines = Array.from({ length: random.between(1, 3) }, () => {
    const [quantity, unitPrice] = [random.between(1, 4), random.between(1, 30_000)];
    const discount = chance(0.3) ? random.between(0, quantity * unitPrice) : 0;
    const net = quantity * unitPrice - discount;
    return { description: 'Tea', sku: null, quantity, unitPrice, discount, taxRate: 19, net };
  });
  const subtotal = lines.reduce((sum, { net }) => sum + net, 0);
  const tax = Math.round(subtotal * 0.19);
  const total = subtotal + tax;
  const orderRef = chance(0.5) ? `order-${shop.uuid()}` : null;
  const common = {
    number,
    currency,
    issuedAt: new Date(issued).toISOString(),
    issuedOn,
    buyer: party,
    seller: party,
    bank: null,
    lines,
    taxes: [{ rate: 19, base: subtotal, amount: tax }],
    taxTreatment: 'domestic' as const,
    reverseCharge: false,
    subtotal,
    tax,
    total,
  };
  let [balance, sequence, moment] = [total, 1, issued];
  const invoice = () => ({ accountId: buyer.userId, number, currency, total, balance, dueOn });
  const change = (delta: number, reason: 'issued' | 'paid' | 'refunded' | 'credited' | 'voided') => {
    if (delta === 0) return;
    const changedAt = new Date(moment).toISOString();
    publish(
      eventAt(
        shop,
        moment,
        billingEvents.invoiceBalanceChanged,
        id,
        { ...invoice(), delta, reason, changedAt },
        sequence,
      ),
    );
  };
  const document = { ...common, reference: null, orderRef, dueOn, termsDays };
  publish(eventAt(shop, moment, billingEvents.invoiceIssued, id, { ...invoice(), orderRef, document }, sequence));
  change(total, 'issued');

  for (let steps = random.between(0, 4); steps > 0; steps -= 1) {
    moment = shop.later(moment);
    sequence += 1;
    const what = random.pick(['pay', 'pay', 'pay all', 'refund', 'credit', 'overdue', 'void'] as const);
    if (what === 'overdue') publish(eventAt(shop, moment, billingEvents.invoiceOverdue, id, invoice(), sequence));
    if (what === 'refund' && balance < total) {
      const back = random.between(1, total - balance);
      balance += back;
      change(back, 'refunded');
    }
    if (what === 'credit' && balance > 0) {
      const part = random.between(1, balance);
      balance -= part;
      change(-part, 'credited');
    }
    if (what === 'void' && balance === total && total > 0) {
      balance = 0;
      change(-total, 'voided');
      return;
    }
    if (what.startsWith('pay') && balance > 0) {
      const part = what === 'pay' ? random.between(1, balance) : balance;
      balance -= part;
      change(-part, 'paid');
      const times = { paidAt: new Date(moment).toISOString(), issuedAt: new Date(issued).toISOString() };
      if (balance === 0)
        publish(eventAt(shop, moment, billingEvents.invoicePaid, id, { ...invoice(), ...times }, sequence));
    }
  }
}
