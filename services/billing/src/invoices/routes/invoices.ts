import { billingOperations, commonErrors, notFound, roleRefusal, type billingHttp } from '@storefront/contracts';
import { actorOf, etagOf, ifMatch, newIdFor, sendVersioned, type Cursors, type Handlers } from '@storefront/http';
import type { Loaded } from '@storefront/mongo';
import type { AccountReads } from '../../accounts/accounts.ts';
import { issueCreditNote } from '../commands/issue-credit-note.ts';
import { issueInvoice } from '../commands/issue-invoice.ts';
import { voidInvoice } from '../commands/void-invoice.ts';
import { creditNoteOf, type Invoice } from '../../domain/invoice.ts';
import type { InvoiceReads } from '../store/invoice-reads.ts';
import { checkInvoice, linesOf } from './check-invoice.ts';
import { showCreditNote, showInvoice } from './show-invoice.ts';

type Operation =
  | 'listInvoices'
  | 'getInvoice'
  | 'issueInvoice'
  | 'issueCreditNote'
  | 'voidInvoice'
  | 'listAccountInvoices'
  | 'getAccountInvoice'
  | 'getAccountCreditNote';

type Needs = Parameters<typeof issueInvoice>[0] &
  Parameters<typeof issueCreditNote>[0] &
  Parameters<typeof voidInvoice>[0] & {
    readonly accountReads: AccountReads;
    readonly invoiceReads: InvoiceReads;
    readonly cursors: Cursors;
  };

/** Owners read their own invoices; staff issue, correct and read the invoices of all accounts. */
export function invoiceHandlers(needs: Needs): Pick<Handlers<typeof billingOperations>, Operation> {
  const { accountReads, invoiceReads, invoices, shop, cursors } = needs;
  return {
    async listInvoices({ asStaff, caller, query }) {
      if (asStaff) return listForStaff(caller.sub, query);
      if (caller.role !== 'trade') throw commonErrors.tradeAccountRequired();
      if (query.account !== undefined) throw roleRefusal(billingOperations.listInvoices);
      await assertNotErased(caller.sub);
      return list(caller.sub, caller.sub, query);
    },

    async getInvoice(request, reply) {
      const { caller, params } = request;
      await assertNotErased(caller.sub);
      const { state, version } = await find(caller.sub, params.id);
      return sendVersioned(request, reply, version, showInvoice(state));
    },

    issueInvoice: {
      check: (body) => checkInvoice(body, shop.currency),
      async handle(request, reply) {
        const { accountId, lines, termsDays = null, reference = null, orderRef = null } = request.body;
        const requested = {
          id: newIdFor(request, 'inv'),
          accountId,
          lines: linesOf(lines),
          termsDays,
          reference,
          orderRef,
        };
        const { invoice, version } = await issueInvoice(needs, actorOf(request), requested);
        void reply.header('location', `/v1/invoices/${invoice.id}`).header('etag', etagOf(version));
        return showInvoice(invoice);
      },
      again: (request, reply) => answerAgain(newIdFor(request, 'inv'), reply),
    },

    issueCreditNote: {
      async handle(request, reply) {
        const { params, body } = request;
        const note = { id: newIdFor(request, 'cn'), lines: body.lines ?? null, reason: body.reason };
        const { invoice } = await issueCreditNote(needs, actorOf(request), {
          invoiceId: params.id,
          note,
          expect: ifMatch(request),
        });
        const { id, accountId } = invoice;
        void reply.header('location', `/v1/trade-accounts/${accountId}/invoices/${id}/credit-notes/${note.id}`);
        return showCreditNote(invoice, creditNoteOf(invoice, note.id));
      },
      async again(request) {
        const { state } = await loadAgain(request.params.id);
        return showCreditNote(state, creditNoteOf(state, newIdFor(request, 'cn')));
      },
    },

    voidInvoice: {
      async handle(request, reply) {
        const { invoice, version } = await voidInvoice(needs, actorOf(request), {
          invoiceId: request.params.id,
          reason: request.body.reason ?? null,
          expect: ifMatch(request),
        });
        void reply.header('etag', etagOf(version));
        return showInvoice(invoice);
      },
      again: ({ params }, reply) => answerAgain(params.id, reply),
    },

    async listAccountInvoices({ caller, params, query }) {
      await accountReads.get(params.id);
      return list(params.id, caller.sub, query);
    },

    async getAccountInvoice(request, reply) {
      const { id, invoiceId } = request.params;
      await accountReads.get(id);
      const { state, version } = await find(id, invoiceId);
      return sendVersioned(request, reply, version, showInvoice(state));
    },

    async getAccountCreditNote({ params }) {
      await accountReads.get(params.id);
      const { state } = await find(params.id, params.invoiceId);
      return showCreditNote(state, creditNoteOf(state, params.creditNoteId));
    },
  };

  /** The invoices of all accounts, but of erased ones: a page may have fewer than were asked for. */
  function listForStaff(reader: string, query: billingHttp.InvoiceQuery) {
    return cursors.page(
      { list: 'invoices', owner: reader, query },
      async (slice) => {
        const { items, ...rest } = await invoiceReads.page(query.account, query, slice);
        const erased = await accountReads.erasedAmong(items.map(({ state }) => state.accountId));
        return { ...rest, items: items.filter(({ state }) => !erased.has(state.accountId)) };
      },
      ({ state }) => showInvoice(state),
    );
  }

  function list(accountId: string, reader: string, query: billingHttp.InvoiceQuery) {
    return cursors.page(
      { list: `invoices ${accountId}`, owner: reader, query },
      (slice) => invoiceReads.page(accountId, query, slice),
      ({ state }) => showInvoice(state),
    );
  }

  async function find(accountId: string, id: string): Promise<Loaded<Invoice>> {
    const found = await invoiceReads.find(accountId, id);
    if (!found) throw notFound('invoice');
    return found;
  }

  async function answerAgain(id: string, reply: { header(name: string, value: string): unknown }) {
    const { state, version } = await loadAgain(id);
    void reply.header('etag', etagOf(version));
    return showInvoice(state);
  }

  async function loadAgain(id: string): Promise<Loaded<Invoice>> {
    const found = await invoices.load(id);
    if (!found) throw notFound('invoice');
    await assertNotErased(found.state.accountId);
    return found;
  }

  async function assertNotErased(accountId: string): Promise<void> {
    if (await accountReads.isErased(accountId)) throw notFound('invoice');
  }
}
