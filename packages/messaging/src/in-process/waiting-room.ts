import type { Headers } from '../middleware/dead-letter.ts';

/** Holds messages for a while and then puts them back into their queue. */
export interface WaitingRoom {
  hold(queue: string, waitMs: number, content: string, headers: Headers): void;
  count(queue: string): number;
  empty(): void;
}

export function createWaitingRoom(put: (queue: string, content: string, headers: Headers) => void): WaitingRoom {
  const waiting = new Map<NodeJS.Timeout, string>();
  return {
    hold(queue, waitMs, content, headers) {
      const timer = setTimeout(() => {
        waiting.delete(timer);
        put(queue, content, headers);
      }, waitMs);
      waiting.set(timer, queue);
    },
    count: (queue) => [...waiting.values()].filter((each) => each === queue).length,
    empty() {
      for (const timer of waiting.keys()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
