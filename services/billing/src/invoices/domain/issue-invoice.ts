import { addDays, type Calendar } from '@storefront/calendar';
import { billingEvents, fact, type Fact } from '@storefront/contracts';
import { isTaxed, statedTreatmentOf, taxTreatmentOf } from './vat.ts';
import type { Account } from '../../domain/account.ts';
import { entered, payFromCredit, withInvoice, type Books } from '../../domain/books.ts';
import type { Shop } from '../../domain/shop.ts';
import { settled } from '../../domain/balance.ts';
import { documentOf } from './document.ts';
import { balanceFacts, summaryOf } from '../../domain/invoice-facts.ts';
import type { Invoice, Sums, TaxTreatment } from '../../domain/invoice.ts';
import { stepsOf } from './dunning.ts';
import { netted, sumsOf, totalled, type GivenLine } from './sums.ts';

/** An invoice to issue. */
export interface InvoiceToIssue {
  readonly id: string;
  readonly accountId: string;
  readonly lines: readonly GivenLine[];
  /** Days to pay; null for the account's default. */
  readonly termsDays: number | null;
  readonly reference: string | null;
  readonly orderRef: string | null;
}

/** What came of a payment by card, in minor units. */
export interface PaidByCard {
  readonly paymentId: string;
  readonly amount: number;
}

/** The sums of an invoice, and how the invoice is taxed. */
export interface Draft extends Sums {
  readonly taxTreatment: TaxTreatment;
  readonly reverseCharge: boolean;
}

/** The tax of an order as its order system states it. */
export interface StatedTax {
  /** Of each line, in minor units. */
  readonly taxes: readonly number[];
  /** Whether the buyer owes the tax; undefined if it is not stated. */
  readonly reverseCharge: boolean | undefined;
  /** The country to which the order goes; null if it is not stated. */
  readonly country: string | null;
}

/**
 * Calculates the sums of the lines for this account. No tax is added if the buyer owes the tax or no tax is due. A tax that
 * is `stated` is not calculated.
 */
export function draftOf(
  { buyer }: Account,
  lines: readonly GivenLine[],
  { seller }: Shop,
  stated: StatedTax | null = null,
): Draft {
  const tax = stated?.taxes.reduce((sum, each) => sum + each, 0) ?? 0;
  const taxTreatment =
    stated === null
      ? taxTreatmentOf(buyer, seller)
      : statedTreatmentOf({ ...stated, country: stated.country ?? buyer.country, tax }, buyer, seller);
  const reverseCharge = taxTreatment === 'reverse-charge';
  const charged = isTaxed(taxTreatment) ? lines : lines.map((line) => ({ ...line, taxRate: 0 }));
  if (stated === null) return { taxTreatment, reverseCharge, ...sumsOf(charged) };
  const taxAt = (rate: number) =>
    stated.taxes.reduce((sum, each, at) => (charged[at]?.taxRate === rate ? sum + each : sum), 0);
  return { taxTreatment, reverseCharge, ...totalled(charged.map(netted), taxAt) };
}

/**
 * Issues the invoice at the time `at`, with the given number. The account's credit pays as much of the invoice as
 * possible; but one that was paid with its order (`paid`) is paid already.
 */
export function issueInvoice(
  before: Books,
  requested: InvoiceToIssue,
  draft: Draft,
  {
    number,
    at,
    shop,
    calendar,
    paid = null,
  }: {
    readonly number: string;
    readonly at: Date;
    readonly shop: Shop;
    readonly calendar: Calendar;
    readonly paid?: readonly PaidByCard[] | null;
  },
): { readonly books: Books; readonly invoice: Invoice; readonly facts: readonly Fact[] } {
  const { id, accountId, reference, orderRef } = requested;
  const { account } = before;
  const termsDays = requested.termsDays ?? account.termsDays;
  const issuedOn = calendar.dayOf(at);
  const dueOn = addDays(issuedOn, termsDays);
  const unpaid: Invoice = {
    id,
    number,
    accountId,
    status: 'open',
    currency: shop.currency,
    buyer: account.buyer,
    seller: shop.seller,
    reference,
    orderRef,
    ...draft,
    isPrepaid: paid !== null,
    amountPaid: 0,
    credited: 0,
    balance: draft.total,
    termsDays,
    issuedAt: at,
    issuedOn,
    dueAt: calendar.startOf(addDays(dueOn, 1)),
    dueOn,
    paidAt: null,
    voidedAt: null,
    payments: [],
    creditNotes: [],
    steps: stepsOf(at, dueOn, calendar),
    nextStepAt: null,
  };
  const owed = withInvoice(before, settled(unpaid, {}, at));
  const settledBooks =
    paid === null
      ? payFromCredit(owed, id, at)
      : withInvoice(owed, settled(unpaid, { payments: partsOf(draft.total, paid, at) }, at));
  const books = entered(before, settledBooks, { kind: 'invoice', id, number }, at);
  const invoice = books.invoices.get(id);
  if (!invoice) throw new Error(`${id} is not in the books`);
  const issued = fact(billingEvents.invoiceIssued, id, {
    ...summaryOf(invoice),
    orderRef,
    document: documentOf(invoice, shop.bank),
  });
  const facts = [
    issued,
    ...balanceFacts({ before: before.invoices, after: owed.invoices }, 'issued', at),
    ...balanceFacts({ before: owed.invoices, after: books.invoices }, 'paid', at),
  ];
  return { books, invoice, facts };
}

/** Which payments have paid the total, the first one first. */
function partsOf(total: number, paid: readonly PaidByCard[], at: Date): Invoice['payments'] {
  let left = total;
  return paid.flatMap(({ paymentId, amount: came }) => {
    const amount = Math.min(left, came);
    left -= amount;
    return amount > 0 ? [{ paymentId, amount, at }] : [];
  });
}
