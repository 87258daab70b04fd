import { randomUUID } from 'node:crypto';
import type { engagementOperations } from '@storefront/contracts';
import { expectStatus, type Person } from '../system/people.ts';
import { announcementRows } from './announcements.ts';
import { campaignRows } from './campaigns.ts';
import { discountRows } from './discounts.ts';
import { id, type Id, type RowsOf } from './row.ts';
import type { Fixtures } from './fixtures.ts';

async function send({ system, admin }: Fixtures, body: object): Promise<{ id: string; notificationId: string }> {
  return expectStatus(system.call('POST', '/v1/notifications', { token: admin.token, body }), 202);
}

const notification = id('ntf', async (fixtures: Fixtures, who: Person) => {
  const { notificationId } = await send(fixtures, {
    channel: 'IN_APP',
    userId: who.id,
    title: 'News',
    body: 'There is.',
  });
  return notificationId;
});

const delivery = id(
  'dlv',
  async (fixtures: Fixtures) => (await send(fixtures, { channel: 'SMS', userId: fixtures.owner.id })).id,
);

/** Reports are the same for all who may read them. */
const report: Id = { own: () => 'sales', random: () => 'takings', missing: 'not_found' };

export const engagementRows: RowsOf<typeof engagementOperations> = {
  listNotifications: { access: 'user', ok: 200 },
  streamNotifications: { access: 'user', ok: 200 },
  readNotification: { access: 'user', ok: 200, id: notification },
  unreadNotification: { access: 'user', ok: 200, id: notification },
  readAllNotifications: { access: 'user', ok: 200 },
  deleteNotification: { access: 'user', ok: 204, id: notification },
  getNotificationPreferences: { access: 'user', ok: 200 },
  replaceNotificationPreferences: {
    access: 'user',
    ok: 200,
    body: () => ({
      types: { marketing: { EMAIL: false } },
      quietHours: { start: '22:00', end: '07:00', timeZone: 'Europe/Amsterdam' },
    }),
  },
  sendNotification: {
    access: 'admin',
    ok: 202,
    body: ({ owner }) => ({
      channel: 'EMAIL',
      userId: owner.id,
      email: owner.email,
      category: 'account',
      type: 'message',
      title: 'News',
      body: 'There is.',
      data: { count: 1 },
      subject: 'News',
      html: '<p>There is.</p>',
      text: 'There is.',
    }),
  },
  // Each event is judged by itself: what is wrong with one is said in the answer.
  recordAnalyticsEvents: {
    access: 'public',
    ok: 202,
    body: ({ productId }) => ({
      anonymousId: randomUUID(),
      events: [{ id: randomUUID(), type: 'product-viewed', at: new Date().toISOString(), productId }],
    }),
  },
  listDeliveries: { access: 'staff', roles: ['support'], ok: 200 },
  getDelivery: { access: 'staff', roles: ['support'], ok: 200, id: delivery },
  ...campaignRows,
  ...discountRows,
  ...announcementRows,
  getAnalyticsReport: { access: 'staff', roles: ['marketing'], ok: 200, id: report, query: 'compare=previous' },
  getDeliveryMail: { access: 'staff', roles: ['support'], ok: 200, id: delivery },
  retryDelivery: { access: 'staff', roles: ['support'], ok: [409, 'delivery_not_retryable'], id: delivery },
};
