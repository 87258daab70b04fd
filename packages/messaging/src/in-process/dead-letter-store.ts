import type { Bus, DeadLetter } from '../bus.ts';
import { readDeadLetter } from '../middleware/dead-letter.ts';
import type { Headers } from '../middleware/dead-letter.ts';

/** The dead letters of this process, oldest first. */
export interface DeadLetterStore {
  add(content: string, headers: Headers): void;
  readonly deadLetters: Bus['deadLetters'];
}

/** `enqueue` puts a message into a queue, for dead letters that are replayed. */
export function createDeadLetterStore(
  enqueue: (queue: string, content: string, headers: Headers) => void,
): DeadLetterStore {
  let stored: { readonly content: string; readonly deadLetter: DeadLetter }[] = [];

  function remove(match: (deadLetter: DeadLetter) => boolean) {
    const matching = stored.filter(({ deadLetter }) => match(deadLetter));
    stored = stored.filter((each) => !matching.includes(each));
    return matching;
  }

  return {
    add(content, headers) {
      stored.push({ content, deadLetter: readDeadLetter(content, headers) });
    },
    deadLetters: {
      list: async (limit = 100) => stored.slice(0, limit).map(({ deadLetter }) => deadLetter),
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
