import type { Headers } from '../middleware/dead-letter.ts';

/** Messages that wait for another try. When the time is up they go back to the queue they came from. */
export interface DelayQueue {
  add(queue: string, delayMs: number, content: string, headers: Headers): void;
  /** How many messages wait for `queue`. */
  count(queue: string): number;
  clear(): void;
}

/** `enqueue` puts a message back into its queue. */
export function createDelayQueue(enqueue: (queue: string, content: string, headers: Headers) => void): DelayQueue {
  const delayed = new Map<NodeJS.Timeout, string>();
  return {
    add(queue, delayMs, content, headers) {
      const timer = setTimeout(() => {
        delayed.delete(timer);
        enqueue(queue, content, headers);
      }, delayMs);
      delayed.set(timer, queue);
    },
    count: (queue) => [...delayed.values()].filter((each) => each === queue).length,
    clear() {
      for (const timer of delayed.keys()) clearTimeout(timer);
      delayed.clear();
    },
  };
}
