import { days, hours, later } from './demand.ts';
import { sendMessage } from './messages.ts';
import type { Story } from './story.ts';

const termsDays = 30;
const taxShare = 0.19;

/** A business gets an invoice for what it ordered. Most are paid in time, some late, and a few very late. */
export function invoiceOrder(
  story: Story,
  orderedAt: Date,
  { net, currency }: { net: number; currency: string },
): void {
  const { random, tell } = story;
  const at = later(orderedAt, hours(random.between(0.1, 3)));
  const dueOn = later(at, days(termsDays)).toISOString().slice(0, 10);
  const total = Math.round(net * (1 + taxShare));
  const invoice = { invoiceId: random.id('inv', at), currency };
  tell('invoice-issued', at, { ...invoice, total, sale: null });
  tell('invoice-balance-changed', at, { ...invoice, dueOn, delta: total });
  sendMessage(story, at, { channel: 'EMAIL', category: 'invoices' });

  const paidAfter = daysToPay(story);
  const overdueAt = later(new Date(dueOn), days(1) + hours(1));
  const paidAt = later(at, days(paidAfter));
  if (paidAt > overdueAt) {
    tell('invoice-overdue', overdueAt, { ...invoice, balance: total });
    sendMessage(story, overdueAt, { channel: 'EMAIL', category: 'invoices' });
  }
  tell('invoice-balance-changed', paidAt, { ...invoice, dueOn, delta: -total });
  tell('invoice-paid', paidAt, { ...invoice, total, days: paidAfter });
}

function daysToPay({ random }: Story): number {
  const draw = random.next();
  if (draw < 0.72) return random.between(2, termsDays);
  return termsDays + (draw < 0.95 ? random.between(2, 40) : random.between(40, 160));
}
