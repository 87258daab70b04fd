export { creditNoteXml, invoiceXml } from './e-invoice/ubl.ts';
export type { OrderConfirmationDocument, PackingSlipDocument } from './order.ts';
export { creditNotePdf, invoicePdf, orderConfirmationPdf, packingSlipPdf, statementPdf } from './pdf.ts';
export type { StatementDocument, StatementEntry } from './statement.ts';
export { sellerOf, sellerVariables, type SellerConfig } from './seller.ts';
export { csvMediaType } from '@storefront/csv';
export { statementCsv } from './statement-csv.ts';
