import { randomUUID } from 'node:crypto';
import type { Principal } from '@storefront/access-token';
import { auditEvents, engagementEvents, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import { addCampaign, costing, endAllCampaigns, percentOff } from './offers.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ contracts: [auditEvents.engagement, engagementEvents.discountReleased] });
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
])('audits who sent %s to whom, without its content', async (_what, message) => {
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

it('audits who sent a delivery again', async () => {
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

it('audits the export of codes and of a report as CSV', async () => {
  const { admin } = service.people;
  const id = await addCampaign(service, { codes: { 'EXPORTED-CODE': null } });
  for (const path of [`/v1/campaigns/${id}/codes.csv`, '/v1/analytics/reports/registrations?format=csv'])
    expect((await service.request(admin, 'GET', path)).status).toBe(200);
  const auditedOf = (subject: string) =>
    service.eventsOf(subject, auditEvents.engagement.type).map(({ data }) => data.action);
  await eventually(() => auditedOf(id).includes('codes-exported'), 'the entry about the codes');
  await eventually(() => auditedOf('registrations').includes('report-exported'), 'the entry about the report');
});

describe('a redemption that is given back', () => {
  beforeAll(() => addCampaign(service, { discount: percentOff(10) }));
  afterAll(() => endAllCampaigns(service));

  /** For a user, or for an order without an account. */
  async function redeem(userId?: string): Promise<{ readonly id: string; readonly orderRef: string }> {
    const order = {
      orderRef: randomUUID(),
      lines: costing(1000),
      hold: { seconds: 3600 },
      ...(userId === undefined ? {} : { userId }),
    };
    const { status, body } = await service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', order);
    expect(status).toBe(201);
    return body;
  }
  const release = (who: Principal, id: string, from = headers) =>
    service.request(who, 'DELETE', `/v1/discounts/redemptions/${id}`, undefined, from);
  const entriesOf = (id: string) => service.eventsOf(id, auditEvents.engagement.type);

  it('by an administrator is audited once, in the same write', async () => {
    const { ada, admin, boss } = service.people;
    const [adas, nobodys] = await Promise.all([redeem(ada.sub), redeem()]);
    for (const { id } of [adas, nobodys])
      for (const who of [boss, boss, admin]) expect((await release(who, id)).status).toBe(200);
    await service.idle();
    const details = { was: 'held', discount: 100, shippingDiscount: 0, currency: 'EUR' };
    for (const [{ id, orderRef }, about] of [
      [adas, ada.sub],
      [nobodys, null],
    ] as const) {
      expect(entriesOf(id).map(({ data }) => data)).toEqual([
        {
          actor: { userId: boss.sub, role: 'admin', ip: '203.0.113.7', device: 'Firefox/148.0' },
          action: 'redemption-released',
          object: { type: 'redemption', id },
          about,
          outcome: 'done',
          reason: null,
          details: { ...details, orderRef },
        },
      ]);
      const releases = service.eventsOf(id, engagementEvents.discountReleased.type);
      // Of one write, so of one version.
      expect([...releases, ...entriesOf(id)].map(({ sequence }) => sequence)).toEqual([2, 2]);
    }
  });

  it('by its owner, or not at all, is not audited', async () => {
    const { ada, bob, admin } = service.people;
    const { id } = await redeem(ada.sub);
    expect((await release(bob, id)).status).toBe(404);
    expect((await release(ada, id)).status).toBe(200);
    expect((await release(admin, id)).status).toBe(200);
    await service.idle();
    expect(service.eventsOf(id, engagementEvents.discountReleased.type)).toHaveLength(1);
    expect(entriesOf(id)).toEqual([]);
  });

  it('names the administrator of its own request, however many give back in one moment', async () => {
    const { ada, admin, boss } = service.people;
    const made = await Promise.all(Array.from({ length: 90 }, () => redeem(ada.sub)));
    const releasers = [admin, boss, ada];
    const addressOf = (at: number) => `203.0.113.${at + 1}`;
    const answers = await Promise.all(
      made.map(({ id }, at) =>
        release(releasers[at % 3] as Principal, id, { ...headers, 'x-client-ip': addressOf(at) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(made.map(() => 200));
    await service.idle();
    const recorded = made.map(({ id }) => entriesOf(id).map(({ data }) => [data.actor.userId, data.actor.ip]));
    expect(recorded).toEqual(made.map((_, at) => (at % 3 === 2 ? [] : [[releasers[at % 3]?.sub, addressOf(at)]])));
  });

  it('by two administrators at once is audited once', async () => {
    const { admin, boss } = service.people;
    const made = await Promise.all(Array.from({ length: 20 }, () => redeem()));
    const answers = await Promise.all(made.flatMap(({ id }) => [release(admin, id), release(boss, id)]));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await service.idle();
    expect(made.map(({ id }) => entriesOf(id).length)).toEqual(made.map(() => 1));
  });
});
