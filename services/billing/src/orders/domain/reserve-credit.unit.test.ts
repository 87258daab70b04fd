import { idFromUuid } from '@storefront/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/arbitrary.ts';
import { anAccount, noon } from '../../../test/states.ts';
import { withReserved } from '../../domain/credit.ts';
import { newOrderPayment } from './order-payment.ts';
import { cancel, type PaymentRequest } from './request-payment.ts';
import { creditInvoiced, reserveCredit, reservedOf } from './reserve-credit.ts';

const request = (number: number, amount: number): PaymentRequest => ({
  subject: 'ord_1',
  sequence: number,
  data: {
    paymentId: idFromUuid('pay', `01890000-0000-7000-8000-00000000000${number}`),
    userId: 'user_buyer',
    method: 'invoice',
    currency: 'EUR',
    amount,
    returnUrl: null,
  },
});

test('what the account has reserved is what its order has, whatever is requested, invoiced and cancelled', () => {
  const requested = fc.record({ number: fc.integer({ min: 1, max: 4 }), amount: fc.constantFrom(400, 900, 1500) });
  fc.assert(
    fc.property(fc.array(fc.oneof(requested, fc.constantFrom('invoice', 'cancel')), { maxLength: 12 }), (steps) => {
      let record = newOrderPayment('ord_1', 'EUR', noon);
      let account = anAccount({ limit: 1000 });
      for (const step of steps) {
        if (typeof step === 'object') {
          const decided = reserveCredit(record, account, request(step.number, step.amount), noon);
          record = decided?.record ?? record;
          account = decided?.account ?? account;
        } else {
          // The commands do this in the transaction that changes the record.
          const before = reservedOf(record);
          record = step === 'cancel' ? (cancel(record, noon)?.record ?? record) : creditInvoiced(record, noon);
          account = withReserved(account, reservedOf(record) - before);
        }
        expect(account.reserved).toBe(reservedOf(record));
        expect(account.reserved).toBeLessThanOrEqual(1000);
      }
      expect(account.reserved).toBeLessThanOrEqual(steps.includes('cancel') ? 0 : 1000);
    }),
    runs,
  );
});

test('no account and an account of an erased user get no credit', () => {
  const decided = reserveCredit(newOrderPayment('ord_1', 'EUR', noon), null, request(1, 100), noon);
  expect(decided?.facts.map(({ data }) => data)).toMatchObject([{ reason: 'closed', available: 0 }]);
});

test('a repeated request gets the same answer, whatever has become of the limit since', () => {
  const first = reserveCredit(newOrderPayment('ord_1', 'EUR', noon), anAccount({ limit: 1000 }), request(1, 600), noon);
  const account = { ...(first?.account ?? anAccount()), limit: 0 };
  const again = first && reserveCredit(first.record, account, request(1, 600), noon);
  expect(again?.facts.map(({ type }) => type)).toEqual(['billing.credit-reserved']);
  expect(again?.account).toBe(account);
});
