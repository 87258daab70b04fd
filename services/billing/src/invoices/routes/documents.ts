import type { billingOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';

type Operation = 'getInvoicePdf' | 'getInvoiceXml' | 'getCreditNotePdf' | 'getCreditNoteXml' | 'getAccountInvoicePdf';

export function documentHandlers(_parts: object): Pick<Handlers<typeof billingOperations>, Operation> {
  const missing = (): never => {
    throw new Error('not built yet');
  };
  return {
    getInvoicePdf: missing,
    getInvoiceXml: missing,
    getCreditNotePdf: missing,
    getCreditNoteXml: missing,
    getAccountInvoicePdf: missing,
  };
}
