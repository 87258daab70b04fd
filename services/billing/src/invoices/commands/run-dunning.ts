import { changed, unchanged } from '@storefront/contracts';
import type { Logger } from 'pino';
import { withInvoice } from '../../domain/books.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Store } from '../../store/collections.ts';
import { runNextStep } from '../domain/dunning.ts';
import type { DueInvoice, InvoiceReads } from '../store/invoice-reads.ts';

interface Needs extends Pick<Store, 'accounts' | 'invoices'> {
  readonly books: BooksStore;
  readonly invoiceReads: Pick<InvoiceReads, 'dueForDunning'>;
  /** Returns false to stop. Called before each batch. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly databaseNow: () => Date;
  readonly logger: Pick<Logger, 'error'>;
}

const atOnce = 50;
const maxFailed = 100;

/**
 * Runs every dunning step whose time has come, the earliest first. This includes steps that were missed while no
 * instance ran. Each step is run once, even if several instances run dunning at the same time. If a step fails, the
 * error is logged and the invoice is left for the next call.
 */
export async function runDunning(needs: Needs): Promise<void> {
  const { invoiceReads, mayGoOn, databaseNow, logger } = needs;
  const now = databaseNow();
  const failed: string[] = [];
  while (failed.length < maxFailed && (await mayGoOn())) {
    const due = await invoiceReads.dueForDunning(now, atOnce, failed);
    if (due.length === 0) return;
    for (const invoice of due) {
      try {
        await runStep(needs, invoice, now);
      } catch (error) {
        logger.error({ err: error, invoice: invoice.id }, 'a step of an invoice could not be done; it is tried again');
        failed.push(invoice.id);
        // Stop this batch: if the database is unreachable, the next read fails too and reports it.
        break;
      }
    }
  }
}

/**
 * Runs a step if it is still due. The decision is made on the stored invoice, so a step that another instance has run,
 * or whose invoice was paid meanwhile, is not run.
 */
async function runStep(needs: Needs, due: DueInvoice, now: Date): Promise<void> {
  const { accounts, invoices } = needs;
  const account = await accounts.load(due.accountId);
  if (!account) throw new Error(`${due.id} has no account`);
  // The user of an erased account gets no reminders, so no events are published.
  const isPublished = account.state.erasedAt === null;
  const { result: holds } = await invoices.change(due.id, (invoice) => {
    const done = invoice && runNextStep(invoice, now);
    if (!done || done.holds) return unchanged(done !== null);
    return changed(done.invoice, isPublished ? done.facts : [], false);
  });
  if (holds) await hold(needs, due, now);
}

/** Puts the account on hold and marks the step as done, in one transaction. */
async function hold({ books }: Needs, { id, accountId }: DueInvoice, now: Date): Promise<void> {
  await books.transaction(async (transaction) => {
    const before = await books.load(transaction, accountId, { invoiceIds: [id] });
    const invoice = before?.invoices.get(id);
    const done = invoice && runNextStep(invoice, now);
    if (!before || !done?.holds) return;
    const after = withInvoice(before, done.invoice);
    const { account } = after;
    const overdueInvoices = [...account.overdueInvoices, id];
    await books.save(transaction, before, { ...after, account: { ...account, overdueInvoices } }, done.facts);
  });
}
