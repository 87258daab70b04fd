import { browser } from './browser.ts';

/** Where the browser has no locks, or another page holds one too long, work goes on without it: the API allows for that. */
const patienceMs = 5000;

/** Runs work under a lock of this name, which only one page of the origin holds at a time. */
export function exclusivelyBy(name: string) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const locks = browser.navigator?.locks;
    if (!locks) return work();
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), patienceMs);
    try {
      return await locks.request(name, { signal: patience.signal }, () => {
        clearTimeout(timer);
        return work();
      });
    } catch (error) {
      // Once the lock is held, its patience has no end.
      if (!patience.signal.aborted) throw error;
      return await work();
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Listens to the other pages of the origin. Returns what tells them something, and ends it; undefined where there is no such
 * channel.
 */
export function broadcast(name: string, listener: (message: unknown) => void) {
  const { BroadcastChannel } = browser;
  if (!BroadcastChannel) return undefined;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', (event) => listener((event as Event & { readonly data: unknown }).data));
  channel.unref?.();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    tell: (message: unknown) => channel.postMessage(message),
    close: () => channel.close(),
  };
}
