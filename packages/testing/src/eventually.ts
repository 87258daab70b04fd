import { setTimeout as wait } from 'node:timers/promises';

const [shortestPauseMs, longestPauseMs] = [25, 100];
const longestPauseAfterSlowMs = 1000;

/**
 * Waits until `attempt` no longer throws and its value is truthy, and returns that value. Throws after `deadlineMs`.
 * The error message contains `what` and the last value or error.
 */
export async function eventually<Value>(
  attempt: () => Value | Promise<Value>,
  what: string,
  deadlineMs = 30_000,
): Promise<NonNullable<Value>> {
  const began = Date.now();
  const deadline = began + deadlineMs;
  let last: unknown = 'nothing yet';
  for (;;) {
    const attempted = Date.now();
    try {
      const value = await attempt();
      if (value) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      const reason = last instanceof Error ? last.message : JSON.stringify(last);
      throw new Error(`Waited ${deadlineMs} ms for ${what}; last seen: ${reason}`, { cause: last });
    }
    // The pauses grow, and are as long as the attempt was: attempts would take processor time from the awaited work.
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, (Date.now() - began) / 10));
    await wait(Math.max(pauseMs, Math.min(longestPauseAfterSlowMs, Date.now() - attempted)));
  }
}
