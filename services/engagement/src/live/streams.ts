import { tooMany, unavailable } from '@storefront/service-kit';

/** The streams that are open here. */
export interface Streams {
  /** Registers a stream of a user; the answer takes it off the list. `end` is called when its time is over. */
  open(userId: string, end: () => void): () => void;
  /** Ends all, and takes no more. */
  close(): void;
}

// The life of an access token: a client comes back with one that is still good. (The gateway ends a stream whose token is
// revoked.)
const longestMs = 15 * 60_000;
const mostForUser = 10;

export function createStreams(): Streams {
  const open = new Map<string, Set<() => void>>();
  let closed = false;
  return {
    open(userId, end) {
      if (closed) throw unavailable('closing', 'This instance is being stopped: connect again.');
      const own = open.get(userId) ?? new Set();
      if (own.size >= mostForUser) throw tooMany('too_many_streams', 'You have too many open streams.', 30);
      open.set(userId, own.add(end));
      const timer = setTimeout(end, longestMs);
      return () => {
        clearTimeout(timer);
        own.delete(end);
        if (own.size === 0 && open.get(userId) === own) open.delete(userId);
      };
    },
    close() {
      closed = true;
      for (const own of open.values()) for (const end of own) end();
    },
  };
}
