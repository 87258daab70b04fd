import { allPages, derivedId, type Reading } from '@storefront/contracts';
import type { ErasedUsers, Repository } from '@storefront/mongo';
import { lastMailTemplate } from '../domain/delivery.ts';
import type { Preferences } from '../domain/preferences.ts';
import type { Deliveries, ListedDelivery } from '../store/deliveries.ts';
import type { Notifications } from '../store/notifications.ts';
import type { Recipients } from '../store/recipients.ts';
import type { Suppressions } from '../store/suppressions.ts';
import { requestMail, type MailNeeds } from './deliveries.ts';

interface CollectionNeeds {
  readonly deliveries: Pick<Deliveries, 'list'>;
  readonly notifications: Pick<Notifications, 'list'>;
  readonly preferences: Pick<Repository<Preferences>, 'load'>;
  readonly recipients: Pick<Recipients, 'find'>;
}

const readAtOnce = 200;

/**
 * Yields, in parts, the messages to a person and the settings that decide which messages the person gets. They are for
 * the export of personal data.
 */
export async function* collectMessages(
  { deliveries, notifications, preferences, recipients }: CollectionNeeds,
  { userId, email }: { readonly userId: string; readonly email: string },
): AsyncGenerator<object, void> {
  const [chosen, recipient] = await Promise.all([preferences.load(userId), recipients.find(userId)]);
  yield { recipient };
  yield { preferences: chosen && { types: chosen.state.types, quietHours: chosen.state.quietHours } };
  const reader = { userId, role: null };
  for await (const page of allPages((slice) => notifications.list(reader, { status: 'all' }, slice), readAtOnce))
    yield { notifications: page.map(({ audience: _audience, ...notification }) => notification) };
  for (const to of [{ userId }, { email, userIdNot: userId }])
    for await (const page of allPages((slice) => deliveries.list(to, slice), readAtOnce))
      yield { deliveries: page.map(showDelivery) };
}

function showDelivery(delivery: ListedDelivery): object {
  const { id, channel, category, template, email, status, createdAt, deliveredAt } = delivery;
  return { id, channel, category, template, email, status, createdAt, deliveredAt };
}

interface ErasureNeeds {
  readonly deliveries: Pick<Deliveries, 'erase' | 'registrationsOf'>;
  readonly erasedUsers: Pick<ErasedUsers, 'add' | 'among'>;
  readonly notifications: Pick<Notifications, 'eraseUser'>;
  readonly preferences: Pick<Repository<Preferences>, 'eraseMany'>;
  readonly recipients: Pick<Recipients, 'delete'>;
  readonly suppressions: Pick<Suppressions, 'remove'>;
}

/**
 * Erases the messages to a person and the settings that decide which messages the person gets.
 * `userId` may be the id of a registration. `email` is null where another user may have the address by now.
 */
export async function eraseMessages(
  { deliveries, erasedUsers, notifications, preferences, recipients, suppressions }: ErasureNeeds,
  { userId, email }: { readonly userId: string; readonly email: string | null },
): Promise<void> {
  // Identity knows only registrations that still wait for their code. A confirmed registration is known only from its
  // mails.
  if (email !== null) await erasedUsers.add(await deliveries.registrationsOf(email));
  await Promise.all([
    deliveries.erase(userId, email),
    notifications.eraseUser(userId),
    preferences.eraseMany({ _id: userId }),
    recipients.delete(userId),
    email === null ? undefined : suppressions.remove(email),
  ]);
}

/** Erases data that was stored about users after they had been erased. Does nothing for users who were not erased. */
export async function eraseMessagesAgain(needs: ErasureNeeds, userIds: readonly string[]): Promise<void> {
  for (const userId of await needs.erasedUsers.among(userIds)) await eraseMessages(needs, { userId, email: null });
}

/** Sends a person the mail that says that all their data is being erased. It is sent once for each request. */
export async function sendLastMail(
  needs: MailNeeds,
  { email, reading, byStaff }: { readonly email: string; readonly reading: Reading; readonly byStaff: boolean },
  requestId: string,
): Promise<void> {
  await requestMail(needs, derivedId('dlv', requestId, lastMailTemplate), {
    to: email,
    userId: null,
    reading,
    category: 'security',
    mail: { template: lastMailTemplate, data: { byStaff } },
  });
}
