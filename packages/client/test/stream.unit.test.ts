import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, type NotificationStreamEvent } from '../src/index.ts';
import { follow, followOverTabs } from '../src/stream.ts';
import { fakeNetwork, problem } from './fake-network.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const unread = (id: string, unreadCount: number) =>
  `event: unread-count\nid: ${id}\ndata: {"unreadCount":${unreadCount}}\n\n`;

/** A stream that sends these pieces, and then ends, breaks or goes on in silence. */
function stream(pieces: readonly string[], end: 'ends' | 'breaks' | 'silent' = 'ends'): Response {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = bytes.shift();
      if (next) return controller.enqueue(next);
      if (end === 'ends') controller.close();
      if (end === 'breaks') controller.error(new Error('reset'));
      return end === 'silent' ? new Promise<never>(() => {}) : undefined;
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

async function first(count: number, events: AsyncIterable<NotificationStreamEvent>) {
  const seen: NotificationStreamEvent[] = [];
  const reading = (async () => {
    for await (const event of events) if (seen.push(event) === count) return;
  })();
  void reading.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(120_000);
  await reading;
  return seen;
}

describe('a stream', () => {
  it('goes on after the last event, however its connections end', async () => {
    const { fetch, sent } = fakeNetwork(() => {
      if (sent.length === 1) return stream(['retry: 1000\n\n', unread('a', 1), unread('b', 2)], 'breaks');
      if (sent.length === 2) return new TypeError('no network');
      if (sent.length === 3) return problem(503, 'overloaded');
      if (sent.length === 4) return stream([unread('c', 3)], 'silent');
      return stream([unread('d', 4)]);
    });
    const shop = createClient({ baseUrl: 'http://api', fetch });
    const seen = await first(4, follow(shop.notifications.streamNotifications));
    expect(seen.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(seen[1]).toEqual({ event: 'unread-count', id: 'b', data: { unreadCount: 2 } });
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, 'b', 'b', 'b', 'c']);
  });

  it('is read whatever its pieces and the ends of its lines', async () => {
    const text = `: hello\r\n\r\nevent: unread-count\r\nid: ü\r\ndata: {"unread\r\ndata: Count":1}\r\n\r\n${unread('z', 2)}`;
    const bytes = [...new TextEncoder().encode(text)];
    const single = new ReadableStream({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const { fetch } = fakeNetwork(() => new Response(single, { headers: { 'content-type': 'text/event-stream' } }));
    const response = createClient({ baseUrl: 'http://api', fetch }).notifications.streamNotifications;
    const { eventsOf } = await import('../src/server-events.ts');
    const seen = [];
    for await (const event of eventsOf(await response(), 1000)) seen.push(event);
    expect(seen).toEqual([
      { event: 'unread-count', id: 'ü', data: '{"unread\nCount":1}' },
      { event: 'unread-count', id: 'z', data: '{"unreadCount":2}' },
    ]);
  });

  it('ends where the API refuses it, and with its signal', async () => {
    const refusing = fakeNetwork(() => problem(401, 'authentication_required'));
    const shop = createClient({ baseUrl: 'http://api', fetch: refusing.fetch });
    await expect(first(1, follow(shop.notifications.streamNotifications))).rejects.toMatchObject({ status: 401 });
    const silent = fakeNetwork(() => stream([], 'silent'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 10);
    const quiet = createClient({ baseUrl: 'http://api', fetch: silent.fetch });
    expect(await first(1, follow(quiet.notifications.streamNotifications, { signal: controller.signal }))).toEqual([]);
  });

  it('pauses while the page is hidden', async () => {
    const page = Object.assign(new EventTarget(), { hidden: false });
    const show = (isShown: boolean) => {
      page.hidden = !isShown;
      page.dispatchEvent(new Event('visibilitychange'));
    };
    vi.stubGlobal('document', page);
    const { fetch, sent } = fakeNetwork(() => stream([`: on\n\n`, unread(`e${sent.length}`, 1)], 'silent'));
    const controller = new AbortController();
    const shop = createClient({ baseUrl: 'http://api', fetch });
    const following = first(9, follow(shop.notifications.streamNotifications, { signal: controller.signal }));
    show(false);
    await vi.advanceTimersByTimeAsync(300_000);
    const whileHidden = sent.length;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(sent).toHaveLength(whileHidden);
    show(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(whileHidden + 1);
    expect(sent.at(-1)?.headers.get('last-event-id')).toBe(`e${whileHidden}`);
    controller.abort();
    await vi.advanceTimersByTimeAsync(1);
    await following;
  });

  it('is one over the pages of a browser; when its page goes, another goes on', async () => {
    let queue: Promise<unknown> = Promise.resolve();
    const request = (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) => {
      const before = queue;
      const mine = (async () => {
        await before.catch(() => undefined);
        signal.throwIfAborted();
        await work();
      })();
      queue = mine;
      return mine;
    };
    vi.stubGlobal('navigator', { locks: { request } });
    const { fetch, sent } = fakeNetwork(() => stream([unread(`e${sent.length}`, 1)], 'silent'));
    const shop = createClient({ baseUrl: 'http://api', fetch });
    const pages = [0, 1].map(() => {
      const seen: string[] = [];
      const page = new AbortController();
      const { signal } = page;
      const done = followOverTabs(shop.notifications.streamNotifications, ({ id }) => seen.push(id), { signal });
      return { seen, page, done };
    });
    await vi.waitFor(() => expect(pages.map(({ seen }) => seen)).toEqual([['e1'], ['e1']]));
    expect(sent).toHaveLength(1);
    pages[0]?.page.abort();
    await pages[0]?.done;
    await vi.waitFor(() => expect(pages[1]?.seen).toEqual(['e1', 'e2']));
    expect(sent[1]?.headers.get('last-event-id')).toBe('e1');
    pages[1]?.page.abort();
    await pages[1]?.done;
  });
});
