import type { ServerResponse } from 'node:http';

/** The requests under way of each caller at this gateway, those whose body is still arriving included. */
export interface UnderWay {
  /** Counts the request until its client has the answer or is gone. False where the caller has `max` already. */
  enter(caller: string, max: number, answer: ServerResponse): boolean;
}

export function createUnderWay(): UnderWay {
  const counts = new Map<string, number>();
  return {
    enter(caller, max, answer) {
      const count = counts.get(caller) ?? 0;
      if (count >= max) return false;
      // The client has left meanwhile: `close` does not come again.
      if (answer.closed) return true;
      counts.set(caller, count + 1);
      answer.once('close', () => {
        const left = (counts.get(caller) ?? 1) - 1;
        if (left > 0) counts.set(caller, left);
        else counts.delete(caller);
      });
      return true;
    },
  };
}
