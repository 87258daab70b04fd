import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createInternalTokenIssuer, type InternalTokenIssuer } from '@storefront/access-token';
import { newId, queues, type Event } from '@storefront/contracts';
import { connect } from 'amqplib';
import type { Accounts } from './accounts.ts';
import { createDemoApi } from './demo-api.ts';
import { StackError } from './error.ts';
import type { Visit } from './history/history.ts';
import { makeHistory } from './history/make-history.ts';
import type { Goods } from './history/shop.ts';
import type { Instance } from './instances.ts';
import type { Secrets } from './secrets.ts';

interface HistoryNeeds {
  readonly api: string;
  readonly admin: Accounts['admin'];
  readonly brokerUrl: string | undefined;
  readonly instances: readonly Instance[];
  readonly secrets: Pick<Secrets, 'internalKey'>;
  readonly say: (line: string) => void;
}

const days = 365;
const dayMs = 24 * 60 * 60_000;
const queue = queues.engagement.onFactPublished.name;
/** Waits while there are more events than this in the queue. */
const mostWaiting = 20_000;
const mostOfRequest = 100;
const requestsAtOnce = 8;
/** How often to look how far engagement has counted, and to say so. */
const [lookEveryMs, sayEveryMs] = [500, 10_000];
/** How long to wait until engagement knows the products. */
const unknownForMs = 30_000;

/**
 * Gives the demo shop a year of history up to yesterday, with about `size` events. Events of services go only into the
 * queue of facts, so they affect nothing but reports. Events of clients are sent to engagement in the same way as by a
 * gateway. A later start adds the days since the last start. Returns when reports have all of it: the events are of the
 * past, so until then `asOf` of a report is later than events that are still in the queue.
 */
export async function fillHistory(
  { api, admin, brokerUrl, instances, secrets, say }: HistoryNeeds,
  size: number,
): Promise<void> {
  const engagement = instances.find(({ service }) => service.name === 'engagement');
  if (!engagement) throw new StackError('There is no engagement service that could have a history.');
  if (brokerUrl === undefined) throw new StackError('--history needs RabbitMQ: its events go through a queue.');
  say('Making a year of history …');
  const goods = await readGoods(api, admin);
  const end = new Date(Math.floor(Date.now() / dayMs) * dayMs);
  const tokens = createInternalTokenIssuer(secrets.internalKey.privateJwk);
  const broker = await connect(brokerUrl);
  let count = 0;
  try {
    const channel = await broker.createConfirmChannel();
    for (const { events, visits } of makeHistory({ seed: 1, size, end, days, goods })) {
      while ((await channel.checkQueue(queue)).messageCount > mostWaiting) await wait(100);
      for (const event of events) channel.sendToQueue(queue, ...messageOf(event));
      await channel.waitForConfirms();
      await sendVisits(engagement.url, tokens, visits);
      count += events.length + visits.length;
    }
  } finally {
    await broker.close();
  }
  const published = new Date();
  say(`A history of ${count} events in ${days} days. Counting them for the reports …`);
  let saidAt = Date.now();
  for (let asOf = new Date(0); asOf <= published;) {
    await wait(lookEveryMs);
    asOf = await readAsOf(engagement.url, tokens);
    if (Date.now() - saidAt < sayEveryMs) continue;
    saidAt = Date.now();
    say(`Counted up to ${asOf.toISOString().slice(0, 10)}.`);
  }
}

/** Returns up to when everything that was published is in reports. */
async function readAsOf(url: string, tokens: InternalTokenIssuer): Promise<Date> {
  const reader = { sub: newId('user'), role: 'admin', sid: 'history', ver: 1 } as const;
  const headers = { 'x-internal-token': await tokens.issue('engagement', reader) };
  const response = await fetch(new URL('/v1/analytics/reports/summary', url), { headers });
  if (!response.ok)
    throw new StackError(
      `No report could be read: ${response.status} ${await response.text()}. Start without --history.`,
    );
  return new Date(((await response.json()) as { readonly asOf: string }).asOf);
}

function messageOf(event: Event): [Buffer, object] {
  const properties = {
    persistent: true,
    contentType: 'application/cloudevents+json',
    messageId: event.id,
    type: event.type,
  };
  return [Buffer.from(JSON.stringify(event)), properties];
}

interface ListedProduct {
  readonly id: string;
  readonly price: { readonly amount: number };
  readonly variants: readonly { readonly id: string }[];
}

async function readGoods(api: string, admin: Accounts['admin']): Promise<Goods> {
  const demo = createDemoApi(api, '');
  const { token } = await demo.logIn(admin);
  const list = async <Item>(path: string) => (await demo.get(`${path}?limit=100`, token))['data'] as Item[];
  const [products, categories, campaigns] = await Promise.all([
    list<ListedProduct>('/v1/products'),
    list<{ readonly id: string }>('/v1/categories'),
    list<{ readonly id: string }>('/v1/campaigns'),
  ]);
  return {
    products: products.map(({ id, price, variants }) => ({
      id,
      price: price.amount,
      variants: variants.map((variant) => variant.id),
    })),
    categories: categories.map(({ id }) => id),
    campaigns: campaigns.map(({ id }) => id),
    currencies: ['EUR', 'EUR'],
    queries: [
      'espresso',
      'green tea',
      'filter coffee',
      'teapot',
      'earl grey',
      'grinder',
      'matcha',
      'oat milk',
      'kettle',
    ],
  };
}

/** Sends the events of each visitor in separate requests. Throws a StackError where a request is refused. */
async function sendVisits(url: string, tokens: InternalTokenIssuer, visits: readonly Visit[]): Promise<void> {
  const requests = [...Map.groupBy(visits, ({ by }) => JSON.stringify(by)).values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / mostOfRequest) }, (_, at) =>
      own.slice(at * mostOfRequest, (at + 1) * mostOfRequest),
    ),
  );
  async function sendSome(): Promise<void> {
    for (let some = requests.pop(); some; some = requests.pop()) await sendRequest(url, tokens, some);
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, sendSome));
}

async function sendRequest(url: string, tokens: InternalTokenIssuer, visits: readonly Visit[]): Promise<void> {
  const by = visits[0]?.by ?? null;
  const isUser = by !== null && 'userId' in by;
  const caller = isUser ? { sub: by.userId, role: by.role, sid: by.userId, ver: 1 } : null;
  const body = JSON.stringify({ ...(!isUser && by), events: visits.map(({ event }) => event) });
  const deadline = Date.now() + unknownForMs;
  for (;;) {
    const headers = {
      'content-type': 'application/json',
      'x-internal-token': await tokens.issue('engagement', caller),
      'x-client-ip': addressOf(JSON.stringify(by)),
    };
    const response = await fetch(new URL('/v1/analytics/events', url), { method: 'POST', headers, body });
    const text = await response.text();
    // Engagement may not have received the events about new products yet. Then the request is repeated.
    const isEarly = text.includes('"unknown_') && Date.now() < deadline;
    if (response.ok && !isEarly) return;
    if (!isEarly)
      throw new StackError(`The history could not be made: ${response.status} ${text}. Start without --history.`);
    await wait(500);
  }
}

/** Gives each visitor a separate address, because the number of events from one address is limited. */
function addressOf(visitor: string): string {
  const [first = 0, second = 0, third = 0] = createHash('sha256').update(visitor).digest();
  return `10.${first}.${second}.${third}`;
}
