import { notFound, type billingOperations } from '@storefront/contracts';
import type { DocumentFile, Handlers, SendDocument } from '@storefront/http';
import { creditNotePdf, creditNoteXml, invoicePdf, invoiceXml } from '@storefront/documents';
import type { FastifyReply } from 'fastify';
import type { AccountReads } from '../../accounts/accounts.ts';
import type { Shop } from '../../domain/shop.ts';
import { creditNoteDocumentOf, documentOf } from '../domain/document.ts';
import { creditNoteOf, type Invoice } from '../../domain/invoice.ts';
import type { InvoiceReads } from '../store/invoice-reads.ts';

type Operation =
  | 'getInvoicePdf'
  | 'getInvoiceXml'
  | 'getCreditNotePdf'
  | 'getCreditNoteXml'
  | 'getAccountInvoicePdf'
  | 'getAccountCreditNotePdf';

interface Needs {
  readonly accountReads: Pick<AccountReads, 'get'>;
  readonly invoiceReads: Pick<InvoiceReads, 'find'>;
  readonly shop: Pick<Shop, 'bank'>;
  readonly sendDocument: SendDocument;
}

/** Invoices and credit notes as files. A file is made only from the stored invoice, so its content never changes. */
export function documentHandlers(needs: Needs): Pick<Handlers<typeof billingOperations>, Operation> {
  const { shop, sendDocument } = needs;

  async function invoiceOf(accountId: string, id: string): Promise<Invoice> {
    await needs.accountReads.get(accountId);
    const found = await needs.invoiceReads.find(accountId, id);
    if (!found) throw notFound('invoice');
    return found.state;
  }

  async function sendPdf(reply: FastifyReply, accountId: string, id: string): Promise<FastifyReply> {
    const invoice = await invoiceOf(accountId, id);
    return sendDocument(reply, pdf(invoice.number), () => invoicePdf(documentOf(invoice, shop.bank)));
  }

  async function sendNotePdf(
    reply: FastifyReply,
    accountId: string,
    id: string,
    noteId: string,
  ): Promise<FastifyReply> {
    const invoice = await invoiceOf(accountId, id);
    const note = creditNoteOf(invoice, noteId);
    return sendDocument(reply, pdf(note.number), () => creditNotePdf(creditNoteDocumentOf(invoice, note, shop.bank)));
  }

  return {
    getInvoicePdf: ({ caller, params }, reply) => sendPdf(reply, caller.sub, params.id),

    getAccountInvoicePdf: ({ params }, reply) => sendPdf(reply, params.id, params.invoiceId),

    async getInvoiceXml({ caller, params }, reply) {
      const invoice = await invoiceOf(caller.sub, params.id);
      return sendDocument(reply, xml(invoice.number), () => invoiceXml(documentOf(invoice, shop.bank)));
    },

    getCreditNotePdf: ({ caller, params }, reply) => sendNotePdf(reply, caller.sub, params.id, params.creditNoteId),

    getAccountCreditNotePdf: ({ params }, reply) =>
      sendNotePdf(reply, params.id, params.invoiceId, params.creditNoteId),

    async getCreditNoteXml({ caller, params }, reply) {
      const invoice = await invoiceOf(caller.sub, params.id);
      const note = creditNoteOf(invoice, params.creditNoteId);
      return sendDocument(reply, xml(note.number), () => creditNoteXml(creditNoteDocumentOf(invoice, note, shop.bank)));
    },
  };
}

function pdf(number: string): DocumentFile {
  return { name: `${number}.pdf`, mediaType: 'application/pdf', disposition: 'inline' };
}

function xml(number: string): DocumentFile {
  return { name: `${number}.xml`, mediaType: 'application/xml; charset=utf-8', disposition: 'inline' };
}
