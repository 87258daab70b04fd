import { engagementHttp, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

interface StreamEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: any;
}

let service: Engagement;
let people: Engagement['people'];
/** A user whose stream is open from the first test to the last. */
let longReader: Engagement['people']['ada'];
let longOpen: Awaited<ReturnType<typeof follow>>;
const open: AbortController[] = [];
beforeAll(async () => {
  service = await startEngagement({ instances: 2 });
  people = service.people;
  longReader = { ...people.ada, sub: newId('user') };
  longOpen = await follow(longReader);
  open.length = 0;
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.abort();
});
afterAll(() => service.close());

/** Opens a stream as a browser does. `events` grows as they arrive. */
async function follow(who: Engagement['people']['ada'], lastEventId?: string, instance = 0, query = '') {
  const aborted = new AbortController();
  open.push(aborted);
  const response = await fetch(`${service.instances[instance]?.url}/v1/notifications/stream${query}`, {
    headers: {
      ...(await service.headersFor(who)),
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: aborted.signal,
  });
  const self = {
    response,
    events: [] as StreamEvent[],
    comments: 0,
    isOver: false,
    titles: () => self.events.filter(({ event }) => event === 'notification').map(({ data }) => data.title),
    lastId: () => self.events.findLast(({ id }) => id !== undefined)?.id,
    leave: () => aborted.abort(),
  };
  void (async () => {
    let text = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text
          .slice(0, end)
          .split('\n')
          .map((line) => /^(.*?): ?(.*)$/.exec(line)?.slice(1) ?? []);
        text = text.slice(end + 2);
        const field = (name: string) => lines.find(([key]) => key === name)?.[1];
        const data = field('data');
        if (data !== undefined) self.events.push({ id: field('id'), event: field('event'), data: JSON.parse(data) });
        else if (lines[0]?.[0] === '') self.comments += 1;
      }
    }
  })()
    .catch(() => undefined)
    .finally(() => (self.isOver = true));
  return self;
}

let sent = 0;
async function notify(userId: string, instance = 0): Promise<string> {
  sent += 1;
  const title = `Number ${sent}`;
  await service.request(people.admin, 'POST', '/v1/notifications', { channel: 'IN_APP', userId, title }, {}, instance);
  return title;
}

describe('the stream of notifications', () => {
  it('consists of server-sent events', async () => {
    const { response } = await follow(people.ada);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-request-id')).toMatch(/\S/);
  });

  it('brings what is new, whichever instance stored it, and the count of unread ones', async () => {
    await notify(people.ada.sub);
    const stream = await follow(people.ada);
    await eventually(() => stream.events.length === 1, 'the first count');
    expect(stream.events[0]).toMatchObject({ event: 'unread-count', data: { unreadCount: 1 } });
    const titles = [await notify(people.ada.sub, 0), await notify(people.ada.sub, 1)];
    await notify(people.bob.sub);
    await eventually(() => stream.titles().length === 2, 'both notifications');
    expect(stream.titles()).toEqual(titles);
    await service.request(people.ada, 'POST', '/v1/notifications/read-all', undefined, {}, 1);
    await eventually(() => stream.events.at(-1)?.data.unreadCount === 0, 'the count of those left unread');
    expect(stream.titles()).toEqual(titles);
  });

  it('continues after the last event of its client, without a gap or a repetition', async () => {
    const stream = await follow(people.bob);
    await eventually(() => stream.events.length > 0, 'the stream');
    const seen = [await notify(people.bob.sub), await notify(people.bob.sub)];
    await eventually(() => stream.titles().length === 2, 'two notifications');
    stream.leave();
    const missed = [await notify(people.bob.sub), await notify(people.bob.sub, 1), await notify(people.bob.sub)];
    const second = await follow(people.bob, stream.lastId(), 1);
    missed.push(await notify(people.bob.sub));
    await eventually(() => second.titles().length >= 4, 'what was missed and what is new');
    expect(second.titles()).toEqual(missed);
    // A new EventSource of a browser can't send the header.
    const again = await follow(people.bob, undefined, 0, `?lastEventId=${stream.lastId()}`);
    await eventually(() => again.titles().length >= 4, 'the same again');
    expect([...seen, ...again.titles()]).toEqual([...seen, ...missed]);
    const header = await follow(people.bob, again.lastId(), 0, `?lastEventId=${stream.lastId()}`);
    const last = await notify(people.bob.sub);
    await eventually(() => header.titles().length > 0, 'what is new, counted from the header');
    expect(header.titles()).toEqual([last]);
  });

  it('continues after its first event too, for a client that has got no notification', async () => {
    const first = await follow(people.bob);
    await eventually(() => first.lastId() !== undefined, 'an id to continue after');
    first.leave();
    const missed = await notify(people.bob.sub);
    const second = await follow(people.bob, first.lastId(), 1);
    await eventually(() => second.titles().length > 0, 'what was missed');
    expect(second.titles()).toEqual([missed]);
  });

  it('consists of events that fit the schemas of the API document', async () => {
    const stream = await follow(people.ada);
    await notify(people.ada.sub);
    await eventually(() => stream.titles().length === 1 && stream.events.length >= 3, 'a notification and two counts');
    const kinds = stream.events.map((event) => engagementHttp.notificationStreamEvent.parse(event).event);
    expect(new Set(kinds)).toEqual(new Set(['unread-count', 'notification']));
  });

  it('starts from now where the Last-Event-ID is malformed', async () => {
    await notify(people.ada.sub);
    const stream = await follow(people.ada, "'; DROP TABLE notifications --");
    const title = await notify(people.ada.sub);
    await eventually(() => stream.titles().length > 0, 'the new one');
    expect(stream.titles()).toEqual([title]);
  });

  it('may be open ten times for one user, and again once one of them is closed', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(people.boss)));
    const refused = await follow(people.boss);
    expect(refused.response.status).toBe(429);
    expect(refused.response.headers.get('retry-after')).toBe('30');
    streams[0]?.leave();
    await eventually(async () => (await follow(people.boss)).response.status === 200, 'a place for another stream');
  });

  it('requires a caller, and a client that accepts such events', async () => {
    expect((await service.request(null, 'GET', '/v1/notifications/stream')).status).toBe(401);
    const { status } = await service.request(people.ada, 'GET', '/v1/notifications/stream', undefined, {
      accept: 'application/json',
    });
    expect(status).toBe(406);
  });

  it('ends when the instance is stopped', async () => {
    const another = await service.another();
    const stream = await follow(people.ada, undefined, service.instances.indexOf(another));
    await eventually(() => stream.events.length > 0, 'the stream');
    await another.close();
    expect(await eventually(() => stream.isOver, 'the end of the stream')).toBe(true);
  });

  it('has no time limit, and sends heartbeats', async () => {
    // Another answer would have been ended by its time limit before the first heartbeat.
    await eventually(() => longOpen.comments > 0, 'the first heartbeat');
    expect(longOpen.isOver).toBe(false);
    const title = await notify(longReader.sub);
    await eventually(() => longOpen.titles().includes(title), 'a notification after all that time');
    longOpen.leave();
  });
});
