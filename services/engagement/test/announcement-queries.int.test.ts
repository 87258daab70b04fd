import { newId } from '@storefront/contracts';
import { eventually, findSlow, recordQueries } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noMails } from '../src/messaging/domain/announcement.ts';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const soon = () => new Date(Date.now() + 3_600_000);

/** Pending mails that are not due: of another announcement, and others. */
async function fill(count: number): Promise<void> {
  const other = newId('anc');
  const startedAt = new Date();
  const fields = {
    version: 1,
    outbox: [],
    channel: 'EMAIL',
    category: 'offers',
    template: 'announcement',
    userId: null,
    email: 'x@example.com',
    mail: null,
    code: null,
    purpose: null,
    sequence: 0,
    status: 'pending',
    reason: null,
    holder: null,
    ending: null,
    inDoubt: 0,
    attemptCount: 0,
    deferrals: 0,
    unreachable: 0,
    attempts: [],
    createdAt: startedAt,
    updatedAt: startedAt,
    deliveredAt: null,
    keptUntil: null,
  };
  await service.deliveries.insertMany(
    Array.from({ length: count }, (_, index) => ({
      _id: newId('dlv'),
      ...fields,
      dueAt: soon(),
      ...(index % 2 === 0
        ? { lane: 'transactional', announcementId: null }
        : { lane: 'announcement', announcementId: other }),
    })),
  );
  await fillAnnouncements(count, () => newId('camp'));
}

async function fillAnnouncements(count: number, campaignId: () => string): Promise<void> {
  const startedAt = new Date();
  await service.collection('announcements').insertMany(
    Array.from({ length: count }, (_, index) => ({
      _id: newId('anc'),
      version: 1,
      outbox: [],
      campaignId: campaignId(),
      number: index + 1,
      segment: 'all',
      channels: ['EMAIL'],
      title: 'x',
      body: 'x',
      html: null,
      subject: null,
      status: 'finished',
      position: '',
      isThrough: true,
      recipients: 0,
      shown: 0,
      mails: noMails,
      holder: null,
      startedAt,
      finishedAt: startedAt,
    })),
  );
}

describe('every query about an announcement', () => {
  it('uses an index, and reads nothing that it is not about', async () => {
    const { people, connection } = service;
    await fill(2000);
    const recipients = Array.from({ length: 1200 }, (_, index) => ({
      _id: newId('user'),
      email: `person${index}@example.com`,
      firstName: 'Ada',
      sequence: 1,
    }));
    await service.collection('recipients').insertMany(recipients);
    const on = { IN_APP: true, EMAIL: true, SMS: true, PUSH: true };
    const types = { security: on, account: on, orders: on, invoices: on, wishlist: on, marketing: on, offers: on };
    const optedIn = recipients
      .slice(0, 20)
      .map(({ _id }) => ({ _id, version: 1, outbox: [], types, quietHours: null }));
    await service.collection('preferences').insertMany(optedIn);
    const discount = { type: 'percentage', percent: 10, target: 'order' };
    const made = await service.request(people.admin, 'POST', '/v1/campaigns', {
      name: 'T',
      trigger: 'automatic',
      discount,
    });
    const path = `/v1/campaigns/${made.body.id}`;
    await service.request(people.admin, 'POST', `${path}/activate`);
    await fillAnnouncements(98, () => made.body.id);

    const stopRecording = await recordQueries(connection);
    const message = { channels: ['IN_APP', 'EMAIL'], title: 'Teapots', body: 'A tenth off.' };
    for (const stopped of [false, true]) {
      const { headers } = await service.request(people.admin, 'POST', `${path}/announce`, message);
      const location = headers.get('location') ?? '';
      if (stopped) await service.request(people.admin, 'POST', `${location}/stop`);
      const over = async () => (await service.request(people.admin, 'GET', location)).body.finishedAt !== null;
      await eventually(over, 'the announcement to be over', 60_000);
    }
    await service.request(people.admin, 'GET', `${path}/announcements?limit=1`);
    for (const lane of ['transactional', 'announcement'])
      await eventually(async () => {
        const searches = await service.collection('system.profile').find({ 'command.sort.dueAt': 1 }).toArray();
        return searches.some((search) => JSON.stringify(search).includes(`"lane":"${lane}"`));
      }, `a search for due mail in the lane ${lane}`);
    const queries = (await stopRecording()).filter(({ collection }) =>
      /^(announcements|deliveries|notifications|recipients|preferences)$/.test(collection),
    );

    // Announcements, people and preferences are read in full pages.
    expect(findSlow(queries, 60)).toEqual({ byNoIndex: [], readMuch: [], sorted: [] });
    const planOf = (part: string) => [
      ...new Set(queries.filter(({ command }) => command.includes(part)).map(({ plan }) => plan)),
    ];
    expect(planOf('"sort":{"dueAt":1}')).toEqual(['IXSCAN { lane: 1, dueAt: 1 }']);
    expect(planOf('"hint":"holder_1"')).toEqual(['IXSCAN { holder: 1 }']);
    expect(planOf('"hint":"unfinished"')).toEqual(['IXSCAN { finishedAt: 1 }']);
    // Counting reads the index alone: mails by their status or reason, and the announcements of the campaign.
    for (const [counting, atLeast] of [
      ['"$group":{"_id":{"$cond"', 1],
      ['"count":"announcements"', 2],
    ] as const) {
      const counts = queries.filter(({ command }) => command.includes(counting));
      expect(counts.length).toBeGreaterThanOrEqual(atLeast);
      expect(counts.filter(({ documentsExamined }) => documentsExamined > 0)).toEqual([]);
    }
  });
});
