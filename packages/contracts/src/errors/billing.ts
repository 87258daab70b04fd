import type { FieldError } from '../problem.ts';
import { bodyField } from './common.ts';
import { defineErrors } from './refusal.ts';

export const billingErrors = defineErrors({
  accountClosed: { kind: 'rule', detail: 'This trade account is not approved, or is suspended.' },
  accountOnHold: { kind: 'rule', detail: 'This account is on hold: lift the hold first.' },
  creditExceeded: {
    kind: 'rule',
    detail: (available: string) => `The credit limit leaves ${available}, which is less than this invoice.`,
    example: ['120.00 EUR'],
  },
  orderAlreadyInvoiced: { kind: 'conflict', detail: 'This order has an invoice already.' },
  invoiceVoid: { kind: 'conflict', detail: 'This invoice is void.' },
  invoiceNotVoidable: {
    kind: 'conflict',
    detail: 'Something of this invoice was paid or credited: credit it instead.',
  },
  /**
   * Throw it with `fields`: one for each line that has less left to credit than requested. Throw it without `fields` if
   * the whole invoice is already credited.
   */
  nothingToCredit: {
    kind: 'rule',
    detail: 'So much is not left to be credited.',
    exampleFields: [bodyField('/lines/0/quantity', 'more_than_left', 'must be at most 2')],
  },
  tooManyCreditNotes: {
    kind: 'rule',
    detail: (max: number) => `An invoice has ${max} credit notes at most.`,
    example: [100],
  },
  nothingOwed: { kind: 'rule', detail: 'Nothing is owed for these invoices.' },
  moreThanOwed: {
    kind: 'rule',
    detail: (owed: string) => `Only ${owed} are owed for these invoices.`,
    example: ['120.00 EUR'],
  },
  tooManyPendingPayments: {
    kind: 'throttled',
    detail: 'Too many payments wait to be paid: pay one of them, or wait.',
    retryAfterSeconds: 3600,
  },
  paymentsNotConfigured: { kind: 'rule', detail: 'This shop takes no payments here: pay by bank transfer.' },
  statementTooLong: {
    kind: 'rule',
    detail: (max: number) => `A statement has ${max} entries at most: ask for fewer days.`,
    example: [5000],
  },
  nothingToAllocate: { kind: 'conflict', detail: 'Nothing of this payment is unallocated.' },
  badSignature: {
    kind: 'unauthenticated',
    detail: 'The signature is missing, or is not one of this body.',
    challenge: 'Signature error="bad_signature"',
  },
  staleSignature: {
    kind: 'unauthenticated',
    detail: 'The signature was made more than 300 seconds ago, or in the future.',
    challenge: 'Signature error="stale"',
  },
  callbackNotReplayable: {
    kind: 'conflict',
    detail: 'Nothing is to be done for this callback: it is a duplicate, was refused, or can not be read.',
  },
  callbackExpired: {
    kind: 'conflict',
    detail: 'The body of this callback is no longer kept, so that its work can not be done again.',
  },
});

/** Field errors that only the billing service can detect. */
export const billingFields = {
  otherCurrency: (pointer: string, currency: string): FieldError =>
    bodyField(`${pointer}/currency`, 'other_currency', `must be ${currency}, the currency of the shop`),
  nothing: (pointer: string): FieldError => bodyField(`${pointer}/amount`, 'too_small', 'must be more than 0'),
  discountAboveLine: (line: number): FieldError =>
    bodyField(`/lines/${line}/discount/amount`, 'too_big', 'must not be more than the line'),
  totalTooLarge: (): FieldError => bodyField('/lines', 'too_big', 'must not be more than 1,000,000,000,000 in all'),
  noSuchAccount: (): FieldError => bodyField('/accountId', 'not_found', 'is not the id of a trade account'),
  noSuchInvoice: (at: number): FieldError => bodyField(`/invoiceIds/${at}`, 'not_found', 'is not one of the account'),
  noSuchLine: (at: number): FieldError => bodyField(`/lines/${at}/line`, 'not_found', 'is not a line of the invoice'),
  moreThanLeft: (at: number, left: number): FieldError =>
    bodyField(`/lines/${at}/quantity`, 'more_than_left', `must be at most ${left}`),
  worthRequired: (): FieldError => bodyField('/worth', 'required', 'is required for money of another currency'),
  worthNotTaken: (): FieldError => bodyField('/worth', 'not_taken', 'is for money of another currency only'),
};
