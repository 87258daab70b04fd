import { billingEvents, type Event } from '@storefront/contracts';
import { clockOf, dateBefore } from '../../expected/calendar.ts';
import { eventAt } from '../tell.ts';
import { currencies, zones, type World } from '../world.ts';

type Tell = (event: Event) => void;

const party = { businessName: 'Lovelace Ltd', address: 'Hauptstraße 1', country: 'DE', vatNumber: null };

/** An invoice is issued, of an order or by itself; what is owed of it changes until it is paid, overdue, credited or void. */
export function tellInvoice(world: World, tell: Tell): void {
  const { random, chance } = world;
  const buyer = random.pick(world.users);
  const id = world.id('inv');
  const currency = chance(0.8) ? currencies[0] : currencies[1];
  const number = `INV-${random.between(1, 1_000_000)}`;
  const issued = world.moment();
  const issuedOn = clockOf(zones[0])(issued).date;
  const termsDays = random.pick([0, 14, 30]);
  const dueOn = dateBefore(issuedOn, -termsDays);
  const lines = Array.from({ length: random.between(1, 3) }, () => {
    const [quantity, unitPrice] = [random.between(1, 4), random.between(1, 30_000)];
    const discount = chance(0.3) ? random.between(0, quantity * unitPrice) : 0;
    const net = quantity * unitPrice - discount;
    return { description: 'Tea', sku: null, quantity, unitPrice, discount, taxRate: 19, net };
  });
  const subtotal = lines.reduce((sum, { net }) => sum + net, 0);
  const tax = Math.round(subtotal * 0.19);
  const total = subtotal + tax;
  const orderRef = chance(0.5) ? `order-${world.uuid()}` : null;
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
    tell(
      eventAt(
        world,
        moment,
        billingEvents.invoiceBalanceChanged,
        id,
        { ...invoice(), delta, reason, changedAt },
        sequence,
      ),
    );
  };
  const document = { ...common, reference: null, orderRef, dueOn, termsDays };
  tell(eventAt(world, moment, billingEvents.invoiceIssued, id, { ...invoice(), orderRef, document }, sequence));
  change(total, 'issued');

  for (let steps = random.between(0, 4); steps > 0; steps -= 1) {
    moment = world.later(moment);
    sequence += 1;
    const what = random.pick(['pay', 'pay', 'pay all', 'refund', 'credit', 'overdue', 'void'] as const);
    if (what === 'overdue') tell(eventAt(world, moment, billingEvents.invoiceOverdue, id, invoice(), sequence));
    if (what === 'refund' && balance < total) {
      const back = random.between(1, total - balance);
      balance += back;
      change(back, 'refunded');
    }
    if (what === 'credit' && balance > 0) {
      const part = random.between(1, balance);
      balance -= part;
      change(-part, 'credited');
      const credited = { ...common, reason: 'Broken', invoiceNumber: number, invoiceIssuedOn: issuedOn };
      tell(
        eventAt(
          world,
          moment,
          billingEvents.creditNoteIssued,
          id,
          { ...invoice(), creditNoteId: world.id('cn'), document: credited },
          sequence,
        ),
      );
    }
    if (what === 'void' && balance === total && total > 0) {
      balance = 0;
      change(-total, 'voided');
      tell(eventAt(world, moment, billingEvents.invoiceVoided, id, { ...invoice(), reason: null }, sequence));
      return;
    }
    if (what.startsWith('pay') && balance > 0) {
      const part = what === 'pay' ? random.between(1, balance) : balance;
      balance -= part;
      change(-part, 'paid');
      const times = {
        paidAt: new Date(moment).toISOString(),
        ...(chance(0.9) && { issuedAt: new Date(issued).toISOString() }),
      };
      if (balance === 0)
        tell(eventAt(world, moment, billingEvents.invoicePaid, id, { ...invoice(), ...times }, sequence));
    }
  }
}

/** Money comes or goes back, and a trade account hears of its credit. */
export function tellPayment(world: World, tell: Tell): void {
  const { random, chance } = world;
  const { userId } = random.pick(world.users);
  const id = world.id('pay');
  const payment = { accountId: chance(0.9) ? userId : null, provider: 'demo', currency: 'EUR', amount: 100 };
  const rest = { allocations: [], credit: 0 };
  tell(eventAt(world, world.moment(), billingEvents.paymentReceived, id, { ...payment, ...rest }));
  if (chance(0.3))
    tell(eventAt(world, world.moment(), billingEvents.paymentRefunded, id, { ...payment, ...rest, kind: 'refund' }, 2));
  const credit = { currency: 'EUR', limit: 1000, outstanding: 900 };
  if (chance(0.3)) tell(eventAt(world, world.moment(), billingEvents.creditWarning, userId, credit));
  if (chance(0.3))
    tell(
      eventAt(world, world.moment(), billingEvents.creditExceeded, userId, {
        ...credit,
        orderRef: 'order-1',
        total: 500,
        reason: 'limit',
      }),
    );
}
