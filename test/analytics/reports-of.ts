import assert from 'node:assert/strict';
import { connect } from 'amqplib';
import { type Event, queues } from '@storefront/contracts';
import { eventually, principal, startCommand } from '@storefront/testing';
import { startEngagement, type Engagement } from '../../services/engagement/test/engagement.ts';
import type { ReportAnswer } from './differences.ts';
import { shopZone } from './expected/expected-report.ts';
import { pathOf, type Question } from './expected/question.ts';
import type { Visit } from '../../stack/src/history/history.ts';

const mostEvents = 100;

/** Starts engagement on a database and a broker of its own, for a shop with days of `shopZone`. */
export function startForReports(): Promise<Engagement> {
  return startEngagement({
    bus: 'rabbitmq',
    settings: { SHOP_TIME_ZONE: shopZone, ANALYTICS_EVENTS_PER_DAY: '1000000', ANALYTICS_TEXTS_PER_DAY: '100000' },
  });
}

/**
 * Puts the events into the queue of facts and into no other one: what engagement itself would tell when it hears of them, such
 * as of mails, is not part of a history.
 */
export async function deliver({ amqpUrl }: Engagement, events: readonly Event[]): Promise<void> {
  const broker = await connect(await amqpUrl());
  try {
    const channel = await broker.createConfirmChannel();
    for (const event of events)
      channel.sendToQueue(queues.engagement.onFactPublished.name, Buffer.from(JSON.stringify(event)), {
        persistent: true,
        contentType: 'application/cloudevents+json',
        messageId: event.id,
        type: event.type,
      });
    await channel.waitForConfirms();
  } finally {
    await broker.close();
  }
}

/** Sends what the clients told, each visitor's in requests of their own. Throws where one is refused. */
export async function send(engagement: Engagement, visits: readonly Visit[]): Promise<void> {
  const { call } = engagement;
  await knowThings(engagement, visits);
  for (const own of Map.groupBy(visits, ({ by }) => JSON.stringify(by)).values()) {
    for (let first = 0; first < own.length; first += mostEvents) {
      const some = own.slice(first, first + mostEvents);
      const by = some[0]?.by ?? null;
      const isUser = by !== null && 'userId' in by;
      const body = { ...(by && !isUser && by), events: some.map(({ event }) => event) };
      const caller = isUser ? principal(by.role, by.userId) : null;
      const answer = await call(caller, 'POST', '/v1/analytics/events', body);
      if (answer.status !== 202 || answer.body.rejected.length > 0)
        throw new Error(`events were refused: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
}

/** Has engagement know the products and categories that the visits are about. */
async function knowThings({ collection }: Engagement, visits: readonly Visit[]): Promise<void> {
  const product = { name: 'A product', categoryIds: [], listed: true, variants: [] };
  const copies = [
    { name: 'products', field: 'productId', facts: product },
    { name: 'categories', field: 'categoryId', facts: { name: 'A category', path: [] } },
  ];
  for (const { name, field, facts } of copies)
    for (const id of new Set(visits.flatMap(({ event }) => (field in event ? [String(event[field])] : []))))
      await collection(name).updateOne(
        { _id: id },
        { $setOnInsert: { version: 1, sequence: 1, facts, deleted: false } },
        { upsert: true },
      );
}

/** Waits until the reports have everything that was delivered and sent before, so many milliseconds at most. */
export async function untilCounted({ call, people, collection, amqpUrl }: Engagement, patience: number): Promise<void> {
  const begun = Date.now();
  const broker = await connect(await amqpUrl());
  try {
    const channel = await broker.createChannel();
    await eventually(
      async () => (await channel.checkQueue(queues.engagement.onFactPublished.name)).messageCount === 0,
      'the queue of facts to be empty',
      patience,
    );
  } finally {
    await broker.close();
  }
  await eventually(
    async () => {
      const { status, body } = await call(people.admin, 'GET', '/v1/analytics/reports/searches');
      if (status !== 200 || Date.parse(body.asOf) < begun) throw new Error(`${status} ${JSON.stringify(body)}`);
      return (await collection('facts').countDocuments({ pending: true })) === 0;
    },
    'reports as of now',
    patience,
  );
}

/** The answer to the question, without the time as of which it is. */
export async function ask({ call, people }: Engagement, question: Question): Promise<ReportAnswer> {
  const { status, body } = await call(people.admin, 'GET', pathOf(question));
  if (status !== 200) throw new Error(`${pathOf(question)} answered ${status} ${JSON.stringify(body)}`);
  const { asOf: _asOf, ...answer } = body;
  return answer;
}

/** The report as a file for a spreadsheet. */
export async function askForCsv({ call, people }: Engagement, question: Question): Promise<string> {
  const { status, body } = await call<string>(people.admin, 'GET', pathOf(question, { format: 'csv' }));
  if (status !== 200) throw new Error(`${pathOf(question)} answered ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Makes all sums again from the facts, by the command of the service and beside it. */
export async function rebuildReports({ settings }: Engagement): Promise<void> {
  const cli = new URL('../../services/engagement/src/cli.ts', import.meta.url);
  const env = { MONGODB_URL: settings['MONGODB_URL'], SHOP_TIME_ZONE: shopZone };
  const { code, err } = await startCommand(cli, ['rebuild-reports'], env).outcome;
  assert.equal(code, 0, err);
}
