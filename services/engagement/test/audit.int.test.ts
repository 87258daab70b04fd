import { randomUUID } from 'node:crypto';
import { auditEvents, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngagement } from './engagement.ts';
import type { Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ contracts: [auditEvents.engagement] });
});
afterAll(() => service.close());

const headers = { 'x-client-ip': '203.0.113.7', 'user-agent': 'Firefox/148.0' };
const send = (body: unknown, key: string) =>
  service.request(service.people.admin, 'POST', '/v1/notifications', body, { ...headers, 'idempotency-key': key });
const auditedOf = (id: string, count: number) =>
  eventually(() => {
    const found = service.eventsOf(id);
    return found.length >= count ? found.map(({ data }) => data) : null;
  }, `${count} audited actions of ${id}`);

it.each([
  ['a mail', { channel: 'EMAIL', email: 'ada@example.com', subject: 'A secret subject', html: '<p>x</p>' }],
  ['a notification in the app', { channel: 'IN_APP', title: 'A secret subject' }],
  ['a message that is only recorded', { channel: 'SMS', body: 'A secret subject' }],
])('tells the audit log who sent %s to whom, and nothing of what is in it', async (_what, message) => {
  const [userId, key] = [newId('user'), randomUUID()];
  const { body } = await send({ ...message, userId }, key);
  await send({ ...message, userId }, key);
  const [record] = await auditedOf(body.id, 1);
  expect(record).toMatchObject({
    actor: { userId: service.people.admin.sub, role: 'admin', ip: '203.0.113.7', device: 'Firefox/148.0' },
    action: 'notification-sent',
    object: { type: 'delivery', id: body.id },
    about: userId,
    details: { channel: message.channel },
  });
  expect(JSON.stringify(record)).not.toMatch(/ada@example|secret/i);
});

it('tells the audit log who sent a delivery again', async () => {
  service.mails.answerRecipient = () => 550;
  const { body } = await send({ channel: 'EMAIL', email: 'bob@example.com', html: '<p>x</p>' }, randomUUID());
  await service.delivered('bob@example.com', 'failed');
  service.mails.answerRecipient = () => null;
  const path = `/v1/notifications/deliveries/${body.id}/retry`;
  expect((await service.request(service.people.boss, 'POST', path, undefined, headers)).status).toBe(200);
  const records = await auditedOf(body.id, 2);
  expect(records.find(({ action }) => action === 'delivery-retried')).toMatchObject({
    actor: { userId: service.people.boss.sub, ip: '203.0.113.7' },
    object: { type: 'delivery', id: body.id },
    about: null,
  });
});
