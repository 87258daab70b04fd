import { engagementErrors } from '@storefront/contracts';

/** The streams that clients hold open at this instance. */
export interface NotificationStreams {
  /**
   * Adds a stream of the user; the returned function removes it. `end` is called after 15 minutes, or when the instance
   * stops. Throws `too_many_streams` where the user has 10 streams, and `closing` once the instance stops.
   */
  open(userId: string, end: () => void): () => void;
  /** Ends all streams and accepts no new ones. */
  close(): void;
}

// A stream lasts as long as an access token is valid. Then the client must come back with a valid token. (The gateway
// ends the streams of a revoked token.)
const maxStreamMs = 15 * 60_000;
const maxStreamsOfUser = 10;

export function createNotificationStreams(): NotificationStreams {
  const open = new Map<string, Set<() => void>>();
  let closed = false;
  return {
    open(userId, end) {
      if (closed) throw engagementErrors.closing();
      const own = open.get(userId) ?? new Set();
      if (own.size >= maxStreamsOfUser) throw engagementErrors.tooManyStreams();
      open.set(userId, own.add(end));
      const timer = setTimeout(end, maxStreamMs);
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
