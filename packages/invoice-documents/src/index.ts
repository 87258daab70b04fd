export { creditNoteXml, invoiceXml } from './e-invoice/ubl.ts';
export { creditNotePdf, invoicePdf, statementPdf } from './pdf.ts';
export type { StatementDocument, StatementEntry } from './statement.ts';
export { statementCsv } from './statement-csv.ts';
