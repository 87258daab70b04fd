import type { Bus, DeadLetter } from '../bus.ts';
import { readLetter } from '../middleware/dead-letter.ts';
import type { Headers } from '../middleware/dead-letter.ts';

/** The dead letters of this process, oldest first. */
export interface Morgue {
  bury(content: string, headers: Headers): void;
  readonly deadLetters: Bus['deadLetters'];
}

export function createMorgue(put: (queue: string, content: string, headers: Headers) => void): Morgue {
  let buried: { readonly content: string; readonly letter: DeadLetter }[] = [];

  function take(match: (letter: DeadLetter) => boolean) {
    const matching = buried.filter(({ letter }) => match(letter));
    buried = buried.filter((each) => !matching.includes(each));
    return matching;
  }

  return {
    bury(content, headers) {
      buried.push({ content, letter: readLetter(content, headers) });
    },
    deadLetters: {
      list: async (limit = 100) => buried.slice(0, limit).map(({ letter }) => letter),
      async replay(match) {
        const matching = take(match);
        for (const { content, letter } of matching) put(letter.queue, content, {});
        return matching.length;
      },
      drop: async (match) => take(match).length,
      count: async () => buried.length,
    },
  };
}
