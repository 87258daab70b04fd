import { derivedId, readingOf, type EventOf } from '@storefront/contracts';
import { on, type HandlerAnswer } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/mongo';
import { requestMail } from '../commands/deliveries.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { billingMessages, type BillingMessage } from '../domain/billing-messages.ts';
import { administrators } from '../domain/notification.ts';
import type { TemplatedMail } from '../domain/render-mail.ts';
import { notificationOf } from '../domain/templates/compose.ts';
import type { Recipients } from '../store/recipients.ts';
import { notifyAbout } from './about-event.ts';

interface Needs extends MessageNeeds {
  readonly recipients: Pick<Recipients, 'find' | 'segmentOf'>;
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
  readonly eraseMessagesTo: (userId: string) => Promise<void>;
}

type Names = keyof typeof billingMessages;
type BillingEvent = EventOf<(typeof billingMessages)[Names]['event']>;

/**
 * Sends messages about invoices, payments and credit to trade accounts and administrators. Ids are derived from the
 * event, so an event that is delivered again sends nothing twice. This holds for as long as dead letters can be
 * replayed.
 */
export function onBillingChanged(needs: Needs) {
  const { erasedUsers, recipients } = needs;
  return (Object.keys(billingMessages) as Names[]).map((name) =>
    on(billingMessages[name].event, (event) => handle(name, event)),
  );

  async function handle(name: Names, event: BillingEvent): Promise<HandlerAnswer> {
    const { toAdministrators }: BillingMessage = billingMessages[name];
    // The subject of an event about credit is the account.
    const accountId = 'accountId' in event.data ? event.data.accountId : event.subject;
    const known = accountId === null || (await erasedUsers.has(accountId)) ? null : accountId;
    if (toAdministrators) {
      const message = toAdministrators(aboutOf(event) as never, needs.writingFor({}), known);
      await notifyAbout(needs, event, { audience: administrators, category: 'invoices', ...message });
    }
    if (known === null) return 'done';
    const answer = await sendToAccount(name, event, known);
    // The account may have been erased while the messages were being written.
    if (await erasedUsers.has(known)) await needs.eraseMessagesTo(known);
    return answer;
  }

  async function sendToAccount(name: Names, event: BillingEvent, accountId: string): Promise<HandlerAnswer> {
    const { toAccount }: BillingMessage = billingMessages[name];
    if (!toAccount) return 'done';
    const recipient = await recipients.find(accountId);
    // This event may come before identity's event about the user.
    if (recipient === null) return { outcome: 'retry', reason: 'the email address of the account is not known yet' };
    const { email, firstName } = recipient;
    const reading = readingOf(recipient);
    const about = aboutOf(event);
    const { words, data, isMailed } = toAccount(about as never, needs.writingFor(reading));
    const message = { type: name, ...notificationOf(words), data };
    await notifyAbout(needs, event, { audience: accountId, category: 'invoices', ...message });
    if (!isMailed) return 'done';
    await requestMail(needs, derivedId('dlv', event.id, name), {
      to: email,
      userId: accountId,
      reading,
      category: 'invoices',
      mail: { template: name, data: { ...about, firstName } } as unknown as TemplatedMail,
    });
    return 'done';
  }
}

function aboutOf({ subject, data }: BillingEvent) {
  return { id: subject, ...data };
}
