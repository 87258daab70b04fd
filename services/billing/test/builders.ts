import { addDays, calendarOf, type Day } from '@storefront/calendar';
import { newId } from '@storefront/contracts';
import type { Account } from '../src/domain/account.ts';
import { nextStepAt } from '../src/domain/balance.ts';
import type { CreditNote, Invoice } from '../src/domain/invoice.ts';
import { stepsOf } from '../src/invoices/domain/dunning.ts';

/** The shop's time zone in tests. */
export const berlin = calendarOf('Europe/Berlin');

const buyer = {
  businessName: 'Teahaus Müller GmbH',
  address: 'Hauptstraße 1\n10115 Berlin',
  country: 'DE',
  vatNumber: 'DE123456789',
};
const seller = {
  businessName: 'Storefront Ltd',
  address: 'Marktplatz 5\n20095 Hamburg',
  country: 'DE',
  vatNumber: 'DE987654321',
};

/** An approved account that owes nothing. */
export function anAccount(changes: Partial<Account> = {}): Account {
  const createdAt = new Date('2026-01-01T10:00:00Z');
  return {
    id: newId('user'),
    isOpen: true,
    buyer,
    limit: null,
    termsDays: 30,
    hold: false,
    overdueInvoices: [],
    outstanding: 0,
    reserved: 0,
    unused: 0,
    entries: 0,
    lastEntryAt: null,
    isWarned: false,
    sequence: 2,
    erasedAt: null,
    createdAt,
    updatedAt: createdAt,
    ...changes,
  };
}

let last = 0;

/** An invoice of 3 × 10.99 at 19 %, of which nothing was paid, issued at noon of the day. */
export function anInvoice(issuedOn: Day, termsDays: number, changes: Partial<Invoice> = {}): Invoice {
  const issuedAt = new Date(berlin.startOf(issuedOn).getTime() + 12 * 60 * 60 * 1000);
  const dueOn = addDays(issuedOn, termsDays);
  const steps = stepsOf(issuedAt, dueOn, berlin);
  last += 1;
  return {
    id: newId('inv'),
    number: `INV-${issuedOn.slice(0, 4)}-${String(last).padStart(6, '0')}`,
    accountId: newId('user'),
    status: 'open',
    currency: 'EUR',
    buyer,
    seller,
    reference: null,
    orderRef: null,
    lines: [
      {
        description: 'Assam, 1 kg',
        sku: 'TEA-1',
        quantity: 3,
        unitPrice: 1099,
        discount: 0,
        taxRate: 19,
        net: 3297,
      },
    ],
    taxes: [{ rate: 19, base: 3297, amount: 626 }],
    subtotal: 3297,
    tax: 626,
    total: 3923,
    taxTreatment: 'domestic',
    reverseCharge: false,
    isPrepaid: false,
    amountPaid: 0,
    credited: 0,
    balance: 3923,
    termsDays,
    issuedAt,
    issuedOn,
    dueAt: berlin.startOf(addDays(dueOn, 1)),
    dueOn,
    paidAt: null,
    voidedAt: null,
    payments: [],
    creditNotes: [],
    steps,
    nextStepAt: nextStepAt(steps),
    ...changes,
  };
}

/** A credit note of 1 × 10.99 at 19 %. */
export function aCreditNote(issuedOn: Day): CreditNote {
  last += 1;
  return {
    id: newId('cn'),
    number: `CN-${issuedOn.slice(0, 4)}-${String(last).padStart(6, '0')}`,
    issuedAt: new Date(berlin.startOf(issuedOn).getTime() + 12 * 60 * 60 * 1000),
    issuedOn,
    reason: 'Damaged on the way',
    lines: [
      {
        description: 'Assam, 1 kg',
        sku: 'TEA-1',
        quantity: 1,
        unitPrice: 1099,
        discount: 0,
        taxRate: 19,
        net: 1099,
      },
    ],
    taxes: [{ rate: 19, base: 1099, amount: 209 }],
    subtotal: 1099,
    tax: 209,
    total: 1308,
    credits: [{ line: 0, quantity: 1, net: 1099 }],
  };
}

/** The document of a state, as a repository writes it. */
export function stored<State extends { readonly id: string }>({ id, ...state }: State) {
  return { _id: id, ...state, version: 1, outbox: [] };
}
