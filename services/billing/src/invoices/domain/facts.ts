import type { Invoice } from './invoice.ts';

/** What every event about an invoice says of it. */
export function toldOf({ accountId, number, currency, total, balance, dueOn }: Invoice) {
  return { accountId, number, currency, total, balance, dueOn };
}
