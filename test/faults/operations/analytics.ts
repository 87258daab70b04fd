import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Visitor } from '../../../stack/src/history/history.ts';
import { reportsOfShop } from '../../analytics/expected/question.ts';
import { isSuccess } from '../client.ts';
import { isLoggedIn, type TestAccount, type TestOperation, type TestProduct, type VirtualUser } from './operation.ts';
import { noteRefusal, tokenOf } from './sessions.ts';

/** Somebody looks at a product, searches, goes to the checkout: some of that, in the last minutes. */
function eventsOf({ random }: VirtualUser, product: TestProduct) {
  const at = () => new Date(Date.now() - random.between(0, 600_000)).toISOString();
  const all = [
    { type: 'product-viewed', productId: product.id },
    { type: 'search-performed', query: random.pick(['Green  tea', 'kettle']), results: random.between(0, 2) },
    { type: 'cart-updated' },
    { type: 'checkout-started' },
    { type: 'custom', name: 'banner-clicked', properties: { place: 'top' } },
  ];
  return [all[0], ...random.shuffle(all).slice(0, random.between(0, 3))].map((event) => ({
    id: randomUUID(),
    at: at(),
    type: '',
    ...event,
  }));
}

interface Rejected {
  readonly index: number;
  readonly code: string;
}

/** Far longer than any fault delays the event of a new product. */
const mostMsUntilKnown = 180_000;

/** Sends the events. Sends those again that are about a product so new that its event has not arrived yet. */
async function sendEvents(
  user: VirtualUser,
  by: Visitor,
  product: TestProduct,
  token?: string,
): ReturnType<VirtualUser['client']['call']> {
  const deadline = Date.now() + mostMsUntilKnown;
  for (let events = eventsOf(user, product); ; await wait(500)) {
    const body = { ...(by && 'anonymousId' in by && by), events };
    const reply = await user.client.call('POST', '/v1/analytics/events', { body, ...(token && { token }) });
    const codes = new Map<number, string>(
      isSuccess(reply) ? reply.body.rejected.map(({ index, code }: Rejected) => [index, code]) : [],
    );
    const visits = events.filter((_, index) => !codes.has(index)).map((event) => ({ by, event }));
    if (isSuccess(reply)) user.analytics?.visits.push(...visits);
    else if (reply.uncertainTries > 0) user.analytics?.unclear.push(...visits);
    events = events.filter((_, index) => codes.get(index) === 'unknown_product');
    if (events.length === 0 || events.length < codes.size || Date.now() > deadline) return reply;
  }
}

const sendAsUser: TestOperation = {
  name: 'send events of a user',
  weight: 6,
  needs: { account: isLoggedIn, product: true, analytics: true },
  async run(user, entry, account: TestAccount, product) {
    const by = { userId: account.id, role: 'retail' as const };
    const reply = await sendEvents(user, by, product, tokenOf(account));
    noteRefusal(entry, account, reply);
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    if (reply.body.rejected.length > 0)
      entry.violated('events of a user', 'none rejected', JSON.stringify(reply.body.rejected));
  },
};

const sendAsVisitor: TestOperation = {
  name: 'send events of a visitor',
  weight: 4,
  needs: { product: true, analytics: true },
  async run(user, entry, _account, product) {
    const anonymousId = `00000000-0000-4000-8000-${String(user.random.between(1, 30)).padStart(12, '0')}`;
    const reply = await sendEvents(user, user.random.pick([{ anonymousId }, null]), product);
    if (isSuccess(reply)) entry.acknowledged();
  },
};

const statuses: ReadonlySet<number> = new Set([200, 503]);

const readReport: TestOperation = {
  name: 'read a report',
  weight: 4,
  needs: { analytics: true },
  async run(user, entry) {
    const report = user.random.pick(reportsOfShop);
    const gateway = user.random.pick(user.analytics?.gateways ?? []);
    const reply = await user.admin.once(gateway, 'GET', `/v1/analytics/reports/${report}`);
    if (reply.status === 200) entry.acknowledged();
    // Without an answer the gateway was killed; the token of the administrator may have come to its end.
    else if (reply.status !== 0 && reply.status !== 401 && !statuses.has(reply.status))
      entry.violated(`report ${report}`, '200 or 503', `${reply.status} ${reply.code}`);
  },
};

export const analytics: readonly TestOperation[] = [sendAsUser, sendAsVisitor, readReport];
