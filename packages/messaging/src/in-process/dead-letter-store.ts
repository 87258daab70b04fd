import type { Bus, DeadLetter } from '../bus.ts';
import { readDeadLetter, type Headers } from '../middleware/dead-letter.ts';

/** Stores the dead letters of this process, the oldest first. */
export interface DeadLetterStore {
  add(content: string, headers: Headers): void;
  readonly deadLetters: Bus['deadLetters'];
}

/** `enqueue` puts a replayed dead letter into a queue. */
export function createDeadLetterStore(
  enqueue: (queue: string, content: string, headers: Headers) => void,
): DeadLetterStore {
  let stored: { readonly content: string; readonly headers: Headers }[] = [];

  function read() {
    return stored.map((message, index) => ({
      ...message,
      deadLetter: readDeadLetter(message.content, message.headers, index + 1),
    }));
  }

  /** Removes the matching dead letters and returns them, the oldest first. */
  function remove(match: (deadLetter: DeadLetter) => boolean) {
    const { matching = [], others = [] } = Object.groupBy(read(), ({ deadLetter }) =>
      match(deadLetter) ? 'matching' : 'others',
    );
    stored = others;
    return matching;
  }

  return {
    add(content, headers) {
      stored.push({ content, headers });
    },
    deadLetters: {
      async list({ after = 0, limit = 100, match = () => true } = {}) {
        const all = read().map(({ deadLetter }) => deadLetter);
        return all.slice(after).filter(match).slice(0, limit);
      },
      async replay(match) {
        const matching = remove(match);
        for (const { content, deadLetter } of matching) enqueue(deadLetter.queue, content, {});
        return matching.length;
      },
      drop: async (match) => remove(match).length,
      count: async () => stored.length,
    },
  };
}
