export { creditNoteXml, invoiceXml } from './e-invoice/ubl.ts';
export { creditNotePdf } from './paper/credit-note.ts';
export { invoicePdf } from './paper/invoice.ts';
export { statementPdf } from './paper/statement.ts';
export type { StatementDocument, StatementEntry } from './statement.ts';
export { statementCsv } from './statement-csv.ts';
