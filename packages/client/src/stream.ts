import { browser } from './browser.ts';
import { ApiError } from './errors.ts';
import { isTransient, type CallOptions } from './send.ts';
import { eventsOf } from './server-events.ts';
import { broadcast } from './tabs.ts';
import { becomesVisible, whileVisible } from './visibility.ts';
import { waitFor } from './waiting.ts';

/** A call of an operation whose answer is a stream of such events. */
export interface StreamOf<Event> {
  (input?: { headers?: { 'last-event-id'?: string } }, options?: CallOptions): Promise<unknown>;
  readonly event?: Event;
}

export interface FollowOptions {
  /** Ends it, without an error. */
  readonly signal?: AbortSignal;
  /** The id of the last event that was received, to go on from there. */
  readonly lastEventId?: string;
}

// The API writes at least every 15 s. What is silent for longer is a connection that has died, as after a sleep.
const silentMs = 45_000;
const [firstWaitMs, longestWaitMs] = [1000, 30_000];
const never = new AbortController().signal;

/**
 * The events of a stream, as they come. A stream that ends is opened again where it was, whatever happened to the network.
 * It pauses once the page has been hidden for a minute. Throws the ApiError with which the API refuses it, such as
 * `authentication_required` after a logout.
 */
export async function* follow<Event>(
  stream: StreamOf<Event>,
  { signal = never, lastEventId }: FollowOptions = {},
): AsyncGenerator<Event, void, undefined> {
  let last = lastEventId;
  while (!signal.aborted) {
    for await (const event of followWhileVisible(stream, signal, last)) {
      last = idOf(event) ?? last;
      yield event;
    }
    await becomesVisible(signal);
  }
}

/**
 * Follows a stream in one of the open pages of the origin, and hands its events to `listener` in all of them that call this
 * with the same `name`. When that page is closed or hidden for a minute, another one goes on. Resolves once the signal is
 * aborted; rejects as `follow` throws. Where the browser has no locks, each page has a stream of its own.
 */
export async function followOverTabs<Event>(
  stream: StreamOf<Event>,
  listener: (event: Event) => void,
  { signal = never, lastEventId, name = 'storefront:stream' }: FollowOptions & { readonly name?: string } = {},
): Promise<void> {
  let last = lastEventId;
  const hear = (event: Event) => {
    last = idOf(event) ?? last;
    listener(event);
  };
  const locks = browser.navigator?.locks;
  const channel = locks && broadcast(name, (event) => hear(event as Event));
  const work = async () => {
    for await (const event of followWhileVisible(stream, signal, last)) {
      channel?.tell(event);
      hear(event);
    }
  };
  try {
    while (!signal.aborted) {
      await (locks ? locks.request(name, { signal }, work) : work());
      await becomesVisible(signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel?.close();
  }
}

/** Ends once the signal is aborted, or the page has been hidden for a minute. */
async function* followWhileVisible<Event>(
  stream: StreamOf<Event>,
  outer: AbortSignal,
  lastEventId: string | undefined,
): AsyncGenerator<Event, void, undefined> {
  const visible = whileVisible();
  const signal = AbortSignal.any([outer, visible.signal]);
  let last = lastEventId;
  let failures = 0;
  try {
    while (!signal.aborted) {
      try {
        const input = last === undefined ? {} : { headers: { 'last-event-id': last } };
        const response = (await stream(input, { signal, retries: 0 })) as Response;
        for await (const { event, id, data } of eventsOf(response, silentMs)) {
          failures = 0;
          last = id ?? last;
          yield { event, id, data: JSON.parse(data) } as Event;
        }
      } catch (error) {
        if (signal.aborted) return;
        // Refused, and not for the moment.
        if (error instanceof ApiError && error.status < 500 && !isTransient(error)) throw error;
        failures += 1;
      }
      const waitMs = (0.5 + Math.random() / 2) * Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
      await waitFor(waitMs, signal).catch(() => undefined);
    }
  } finally {
    visible.stop();
  }
}

function idOf(event: unknown): string | undefined {
  return (event as { readonly id?: string }).id;
}
