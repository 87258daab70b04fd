/** Where the browser has no locks, or another page holds one too long, work goes on without it: the API allows for that. */
const patienceMs = 5000;

/** Runs work under a lock of this name, which only one page of the origin holds at a time. */
export function exclusivelyBy(name: string) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const locks = globalThis.navigator?.locks as LockManager | undefined;
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

/** A channel to the other pages of the origin; undefined where there is none. */
export function broadcast(name: string, listener: (message: unknown) => void): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data));
  // In Node a channel would keep the process alive.
  (channel as { unref?: () => void }).unref?.();
  return channel;
}
