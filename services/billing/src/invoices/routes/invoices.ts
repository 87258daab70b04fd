import type { billingOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';

type Operation =
  | 'listInvoices'
  | 'getInvoice'
  | 'issueInvoice'
  | 'issueCreditNote'
  | 'voidInvoice'
  | 'listAccountInvoices'
  | 'getAccountInvoice';

export function invoiceHandlers(_parts: object): Pick<Handlers<typeof billingOperations>, Operation> {
  const missing = (): never => {
    throw new Error('not built yet');
  };
  return {
    listInvoices: missing,
    getInvoice: missing,
    issueInvoice: missing,
    issueCreditNote: missing,
    voidInvoice: missing,
    listAccountInvoices: missing,
    getAccountInvoice: missing,
  };
}
