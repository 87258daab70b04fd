export { creditNoteXml, invoiceXml } from './e-invoice/ubl.ts';
export { creditNotePdf, invoicePdf, statementPdf } from './pdf.ts';
export type { StatementDocument, StatementEntry } from './statement.ts';
export { csvMediaType } from '@storefront/csv';
export { statementCsv } from './statement-csv.ts';
