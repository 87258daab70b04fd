import { callbackOperations } from './billing/callbacks.ts';
import { creditOperations } from './billing/credit.ts';
import { invoiceOperations } from './billing/invoices.ts';
import { paymentOperations } from './billing/payments.ts';
import { shopOperations } from './billing/shop.ts';
import { statementOperations } from './billing/statement.ts';
import { mergeOperations } from './operation.ts';

export * from './billing/callbacks.ts';
export * from './billing/credit.ts';
export * from './billing/invoices.ts';
export * from './billing/payments.ts';
export * from './billing/shop.ts';
export * from './billing/statement.ts';

export const billingOperations = mergeOperations(
  creditOperations,
  statementOperations,
  invoiceOperations,
  callbackOperations,
  paymentOperations,
  shopOperations,
);
