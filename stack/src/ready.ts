import { setTimeout as wait } from 'node:timers/promises';
import { StackError } from './error.ts';
import type { Part } from './plan.ts';

const deadlineMs = 60_000;

/** Waits until every part says that it can do its work; a StackError names what stands in the way after a minute. */
export async function untilReady(parts: readonly Part[]): Promise<void> {
  await Promise.all(parts.map((part) => untilPartReady(part)));
}

async function untilPartReady({ name, probe }: Part): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const seen = await look(probe);
    if (seen === null) return;
    if (Date.now() > deadline) throw new StackError(`${name} did not become ready within a minute: ${seen}`);
    await wait(20);
  }
}

/** null where it is ready, else what it says. */
async function look(url: string): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
    const text = await answer.text();
    return answer.ok ? null : text;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
