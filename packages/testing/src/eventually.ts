import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until `attempt` no longer throws and its value is truthy, and returns that value. Throws after `deadlineMs`;
 * the message says what was waited for, and what was seen last.
 */
export async function eventually<Value>(
  attempt: () => Value | Promise<Value>,
  what: string,
  deadlineMs = 30_000,
): Promise<NonNullable<Value>> {
  const deadline = Date.now() + deadlineMs;
  let last: unknown = 'nothing yet';
  for (;;) {
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
    await wait(25);
  }
}
