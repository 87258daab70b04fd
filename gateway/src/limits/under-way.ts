import type { ServerResponse } from 'node:http';

/** Counts the unfinished requests of each caller at this gateway, including those whose body is still arriving. */
export interface UnderWay {
  /**
   * Counts the request until its client has the answer or has disconnected. Returns false if the caller already has
   * `max` requests.
   */
  enter(caller: string, max: number, answer: ServerResponse): boolean;
}

export function createUnderWay(): UnderWay {
  const counts = new Map<string, number>();
  return {
    enter(caller, max, answer) {
      const count = counts.get(caller) ?? 0;
      if (count >= max) return false;
      // If the client has already disconnected, there will be no `close` event.
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
