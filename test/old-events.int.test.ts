import { deadLetterDays, newId, queues } from '@storefront/contracts';
import {
  collectionOf,
  noRelay,
  openCollections,
  openDatabase,
  openErasedUsers,
  type CollectionDefinition,
  type Database,
} from '@storefront/mongo';
import type { Resources } from '../packages/service/src/index.ts';
import { freshDatabase, memoryLogger } from '@storefront/testing';
import { dataRequests } from '../packages/user-data/src/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitions as accountCollections } from '../services/account/src/store/collections.ts';
import { createDelivery } from '../services/engagement/src/messaging/domain/delivery.ts';
import { keptUntilOf } from '../services/engagement/src/analytics/domain/facts/retention.ts';
import type { AddedNotification } from '../services/engagement/src/messaging/domain/notification.ts';
import { notifications } from '../services/engagement/src/messaging/store/collections.ts';
import { openNotifications } from '../services/engagement/src/messaging/store/notifications.ts';
import { collections as billingCollections } from '../services/billing/src/service.ts';
import { definitions as catalogCollections } from '../services/catalog/src/store/collections.ts';
import { ended } from '../services/engagement/src/promotions/domain/redemptions/order-discounts.ts';
import { definitions as engagementCollections } from '../services/engagement/test/engagement.ts';
import { createPersonCipher } from '../services/identity/src/audit/secrets/person-cipher.ts';
import { auditKeys, openPersonKeys } from '../services/identity/src/audit/store/person-keys.ts';
import { collections as identityCollections } from '../services/identity/src/service.ts';
import { collections as ordersCollections } from '../services/orders/src/service.ts';

// A dead letter may be replayed on its last day. The replay itself, with all that it waits for, must not take longer.
const replayDays = 10;
const dayMs = 24 * 60 * 60 * 1000;
const now = new Date('2026-05-01T12:00:00.000Z');

const place = freshDatabase('old_events');
let database: Database;
beforeAll(async () => {
  database = await openDatabase(place.url, memoryLogger().logger);
  await openCollections(database, [auditKeys, notifications]);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const resources = () => ({ database, relay: noRelay, now: () => now }) as unknown as Resources;
const daysUntil = (date: Date | null | undefined) => ((date?.getTime() ?? 0) - now.getTime()) / dayMs;

/** For how many days the record makes a repeated event harmless. A new record needs a line here. */
const records: Readonly<Record<string, () => number | Promise<number>>> = {
  'account data_requests': () => daysOf(dataRequests),
  'account wishlist_alerts': () => daysOf(named(accountCollections, 'wishlist_alerts')),
  'billing data_requests': () => daysOf(dataRequests),
  'billing invoices': () => daysOf(named(billingCollections, 'invoices')),
  'billing order_payments': () => daysOf(named(billingCollections, 'order_payments')),
  'billing payments': () => daysOf(named(billingCollections, 'payments')),
  'billing refused_orders': () => daysOf(named(billingCollections, 'refused_orders')),
  'catalog reservations': () => daysOf(named(catalogCollections, 'reservations')),
  'engagement data_requests': () => daysOf(dataRequests),
  'engagement deliveries': () => {
    const ended = createDelivery(null, { ...aMail, start: { status: 'failed', reason: 'invalid_address' } }, now);
    return daysUntil('state' in ended ? ended.state.keptUntil : null);
  },
  'engagement facts': () => daysUntil(keptUntilOf({ at: new Date('2000-01-01'), publishedAt: now }, 1)),
  'engagement notifications': async () => {
    const store = openNotifications(resources());
    const [reader, id] = [{ userId: newId('user'), role: null }, newId('ntf')];
    await store.insert(added({ id, audience: reader.userId }));
    await store.delete(reader, id);
    return daysUntil((await collectionOf(database, notifications).findOne({ _id: id }))?.keptUntil);
  },
  'engagement notifications of a role': async () => {
    const id = newId('ntf');
    await openNotifications(resources()).insert(added({ id, audience: 'role:admin' }));
    return daysUntil((await collectionOf(database, notifications).findOne({ _id: id }))?.keptUntil);
  },
  'engagement order_discounts': () => {
    const over = ended(null, newId('ord'), 'cancelled', now);
    return daysUntil('state' in over ? over.state.keptUntil : null);
  },
  'identity audit_entries': () => daysOf(named(identityCollections, 'audit_entries')),
  'identity audit_keys': async () => {
    await openPersonKeys(resources(), createPersonCipher('k'.repeat(64))).forget(newId('user'));
    return daysUntil((await collectionOf(database, auditKeys).findOne())?.forgottenUntil);
  },
  'orders data_requests': () => daysOf(dataRequests),
  'account erased_users': daysOfErasedUsers,
  'billing erased_users': daysOfErasedUsers,
  'engagement erased_users': daysOfErasedUsers,
  'orders erased_users': daysOfErasedUsers,
};

async function daysOfErasedUsers(): Promise<number> {
  await openErasedUsers({ database, now: () => now }).add([newId('user')]);
  const kept = await collectionOf<{ keptUntil: Date }>(database, 'erased_users').findOne();
  return daysUntil(kept?.keptUntil);
}

/** What expires and guards no event: no handler of an event asks for it. */
const guardsNoEvent = new Set([
  // Of requests.
  ...Object.keys(queues).flatMap((service) => [`${service} idempotency_keys`, `${service} idempotency_key_counts`]),
  // Asked again, account answers again.
  'account recipient_answers',
  // What the audit log is to have of a request.
  ...Object.keys(queues).map((service) => `${service} audit_notes`),
  'billing accounts',
  // Only what was refused or came again expires.
  'billing callbacks',
  'billing journal',
  'catalog import_rows',
  'catalog imports',
  // Of requests, too.
  'catalog stock_moves',
  'catalog upload_counts',
  'engagement code_guesses',
  'engagement event_counts',
  'engagement notification_marks',
  // A visitor who is forgotten is somebody else then; a user never is.
  'engagement people',
  // Texts and their sums are made of facts, whose ids are those of events.
  'engagement roll_up_cells',
  'engagement search_texts',
  'engagement suppressions',
  // Counts what comes on a day; the entry itself is written once.
  'identity audit_floods',
  'identity api_tokens',
  'identity challenges',
  'identity code_counts',
  'identity data_requests',
  'identity email_changes',
  'identity control_changes',
  'identity emails',
  'identity erased_users',
  'identity export_pages',
  'identity known_clients',
  'identity attempts',
  'identity login_failures',
  'identity mfa_tokens',
  'identity recoveries',
  'identity registrations',
  'identity sender_budgets',
  'identity sessions',
  'identity stream_tickets',
  // Whatever is in a cart is of requests, too.
  'orders cart_budgets',
  'orders cart_reminders',
  'orders carts',
  'orders order_code_budgets',
  'orders order_mail_budgets',
]);

describe('a record that makes an old event harmless', () => {
  it.each(Object.keys(records))('%s outlives the dead letters', async (name) => {
    expect(await records[name]?.()).toBeGreaterThanOrEqual(deadLetterDays + replayDays);
  });

  it('is in the table above, like everything that expires in a service that handles events', () => {
    const services = {
      account: accountCollections,
      billing: billingCollections,
      catalog: catalogCollections,
      engagement: engagementCollections,
      identity: identityCollections,
      orders: ordersCollections,
    };
    expect(Object.keys(services).toSorted()).toEqual(Object.keys(queues).toSorted());
    const expiring = Object.entries(services).flatMap(([service, collections]) =>
      collections.filter((each) => expiryOf(each) !== undefined).map(({ name }) => `${service} ${name}`),
    );
    expect(expiring.filter((name) => !(name in records) && !guardsNoEvent.has(name))).toEqual([]);
    expect([...guardsNoEvent].filter((name) => !expiring.includes(name))).toEqual([]);
  });
});

function named(collections: readonly CollectionDefinition[], name: string): CollectionDefinition {
  const found = collections.find((each) => each.name === name);
  if (!found) throw new Error(`no collection is called ${name}`);
  return found;
}

/** The seconds of its expiry; 0 where each document says its own time. */
function expiryOf({ schema }: CollectionDefinition): number | undefined {
  return schema
    .indexes()
    .map(([, options]) => options?.expireAfterSeconds)
    .find((seconds) => typeof seconds === 'number');
}

function daysOf(definition: CollectionDefinition): number {
  return ((expiryOf(definition) ?? 0) * 1000) / dayMs;
}

const added = (of: { readonly id: string; readonly audience: string }): AddedNotification => ({
  notification: {
    ...of,
    category: 'account',
    type: 'welcome',
    title: 'Welcome',
    body: '',
    data: {},
    readAt: null,
    createdAt: now,
  },
  segment: undefined,
  facts: [],
});

const aMail = {
  id: newId('dlv'),
  channel: 'EMAIL',
  category: 'account',
  template: 'welcome',
  userId: null,
  email: 'ada@example.com',
  mail: null,
  start: { status: 'pending', dueAt: now },
} as const;
