import type { Headers } from '../middleware/dead-letter.ts';

/** Holds messages that wait for another try. After its delay, each message goes back to its original queue. */
export interface DelayQueue {
  add(queue: string, delayMs: number, content: string, headers: Headers): void;
  /** How many messages wait. */
  count(): number;
  clear(): void;
}

/** `enqueue` puts a message back into its queue. */
export function createDelayQueue(enqueue: (queue: string, content: string, headers: Headers) => void): DelayQueue {
  const delayed = new Set<NodeJS.Timeout>();
  return {
    add(queue, delayMs, content, headers) {
      const timer = setTimeout(() => {
        delayed.delete(timer);
        enqueue(queue, content, headers);
      }, delayMs);
      delayed.add(timer);
    },
    count: () => delayed.size,
    clear() {
      for (const timer of delayed) clearTimeout(timer);
      delayed.clear();
    },
  };
}
