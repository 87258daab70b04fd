import { billingEvents, derivedId, type Event } from '@storefront/contracts';
import { on, type HandlerAnswer } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/mongo';
import { requestMail } from '../commands/request-mail.ts';
import type { TemplatedMail } from '../domain/render-mail.ts';
import type { AboutInvoice } from '../domain/templates/billing.ts';
import {
  creditedNews,
  creditExceededNews,
  creditWarningNews,
  issuedNews,
  overdueNews,
  paidNews,
  receivedNews,
  refundedNews,
  remindedNews,
  voidedNews,
  type BilledInvoice,
  type News,
} from '../domain/billing-news.ts';
import {
  accountNotification,
  orderBeyondCreditNotification,
  orderNotInvoicedNotification,
  paymentRefundedNotification,
  unallocatedNotification,
} from '../domain/billing-notifications.ts';
import type { NewNotification } from '../domain/notification.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import type { Recipients } from '../store/recipients.ts';
import { notifyAbout } from './about-event.ts';

interface Needs extends MessageNeeds {
  readonly recipients: Pick<Recipients, 'find' | 'segmentOf'>;
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
  /** Erases what was stored about a user who had been erased before. */
  readonly takeBack: (userId: string) => Promise<void>;
}

/** What a trade account is told: always in the app, and by mail where there is one. */
interface Told {
  readonly type: string;
  readonly news: News;
  readonly data: NewNotification['data'];
  readonly mail: ((firstName: string) => TemplatedMail) | null;
}

/** An event about the invoice that is its subject. */
type InvoiceEvent = Event<BilledInvoice & { readonly accountId: string }>;

/**
 * Tells trade accounts, and administrators, of invoices, payments and credit. Ids are derived from the event: delivered again it
 * finds its delivery and its notification, for as long as dead letters are replayed.
 */
export function onBillingChanged(needs: Needs) {
  const { erasedUsers, recipients, takeBack } = needs;

  /**
   * Does `work` for an account; for null where nobody is known to have it, or it was erased. What is written while it is being
   * erased is taken back.
   */
  async function forAccount(
    accountId: string | null,
    work: (known: string | null) => Promise<HandlerAnswer>,
  ): Promise<HandlerAnswer> {
    const known = accountId === null || (await erasedUsers.has(accountId)) ? null : accountId;
    const answer = await work(known);
    if (known !== null && (await erasedUsers.has(known))) await takeBack(known);
    return answer;
  }

  async function tellOwner(event: Event, accountId: string | null, told: Told): Promise<HandlerAnswer> {
    if (accountId === null) return 'done';
    const { type, news, data, mail } = told;
    await notifyAbout(needs, event, accountNotification(accountId, type, news, data));
    if (mail === null) return 'done';
    const recipient = await recipients.find(accountId);
    // The event may have overtaken that of identity. Tried again it finds the notification.
    if (recipient === null) return { outcome: 'retry', reason: 'nobody has said yet where mails to the account go' };
    await requestMail(needs, derivedId('dlv', event.id, type), {
      to: recipient.email,
      userId: accountId,
      category: 'invoices',
      mail: mail(recipient.firstName),
    });
    return 'done';
  }

  const tell = (event: Event, accountId: string | null, told: Told) =>
    forAccount(accountId, (known) => tellOwner(event, known, told));

  function tellOfInvoice(
    event: InvoiceEvent,
    type: string,
    news: News,
    mail: (about: AboutInvoice) => TemplatedMail,
  ): Promise<HandlerAnswer> {
    const about = { invoiceId: event.subject, invoice: invoiceOf(event) };
    const data = { invoiceId: event.subject, number: event.data.number };
    return tell(event, event.data.accountId, {
      type,
      news,
      data,
      mail: (firstName) => mail({ firstName, ...about }),
    });
  }

  return [
    on(billingEvents.invoiceIssued, (event) => {
      const { document } = event.data;
      return tellOfInvoice(event, 'invoice-issued', issuedNews(event.data), (about) => ({
        template: 'invoice-issued',
        data: { ...about, document },
      }));
    }),
    on(billingEvents.invoiceReminded, (event) => {
      const { days } = event.data;
      return tellOfInvoice(event, 'invoice-reminded', remindedNews(event.data, days), (about) => ({
        template: 'invoice-reminded',
        data: { ...about, days },
      }));
    }),
    on(billingEvents.invoiceOverdue, (event) =>
      tellOfInvoice(event, 'invoice-overdue', overdueNews(event.data), (about) => ({
        template: 'invoice-overdue',
        data: about,
      })),
    ),
    on(billingEvents.invoicePaid, (event) =>
      tellOfInvoice(event, 'invoice-paid', paidNews(event.data), (about) => ({
        template: 'invoice-paid',
        data: about,
      })),
    ),
    on(billingEvents.invoiceVoided, (event) => {
      const { reason } = event.data;
      return tellOfInvoice(event, 'invoice-voided', voidedNews(event.data), (about) => ({
        template: 'invoice-voided',
        data: { ...about, reason },
      }));
    }),
    on(billingEvents.creditNoteIssued, (event) => {
      const { document } = event.data;
      return tellOfInvoice(event, 'credit-note-issued', creditedNews(event.data, document), (about) => ({
        template: 'credit-note-issued',
        data: { ...about, document },
      }));
    }),
    on(billingEvents.paymentReceived, (event) => {
      const { accountId, ...payment } = event.data;
      return tell(event, accountId, {
        type: 'payment-received',
        news: receivedNews(payment),
        data: { paymentId: event.subject },
        // Where all of it paid invoices, each of them that is paid has a mail.
        mail:
          payment.credit === 0 ? null : (firstName) => ({ template: 'payment-received', data: { firstName, payment } }),
      });
    }),
    on(billingEvents.paymentRefunded, async (event) => {
      const { accountId, ...payment } = event.data;
      await notifyAbout(needs, event, paymentRefundedNotification(event.subject, payment));
      return tell(event, accountId, {
        type: 'payment-refunded',
        news: refundedNews(payment),
        data: { paymentId: event.subject, kind: payment.kind },
        mail: (firstName) => ({ template: 'payment-refunded', data: { firstName, payment } }),
      });
    }),
    on(billingEvents.paymentUnallocated, (event) =>
      notifyAbout(needs, event, unallocatedNotification(event.subject, event.data)),
    ),
    on(billingEvents.creditWarning, (event) => {
      const credit = event.data;
      return tell(event, event.subject, {
        type: 'credit-warning',
        news: creditWarningNews(credit),
        data: {},
        mail: (firstName) => ({ template: 'credit-warning', data: { firstName, credit } }),
      });
    }),
    on(billingEvents.creditExceeded, (event) => {
      const order = event.data;
      return forAccount(event.subject, async (known) => {
        await notifyAbout(needs, event, orderBeyondCreditNotification(known, order));
        return tellOwner(event, known, {
          type: 'credit-exceeded',
          news: creditExceededNews(order),
          data: { orderRef: order.orderRef },
          mail: (firstName) => ({ template: 'credit-exceeded', data: { firstName, order } }),
        });
      });
    }),
    on(billingEvents.orderNotInvoiced, (event) =>
      forAccount(event.subject, async (known) => {
        await notifyAbout(needs, event, orderNotInvoicedNotification(known, event.data));
        return 'done';
      }),
    ),
  ];
}

function invoiceOf({ data }: InvoiceEvent): BilledInvoice {
  const { number, currency, total, balance, dueOn } = data;
  return { number, currency, total, balance, dueOn };
}
