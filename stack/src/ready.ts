import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from '@storefront/backing';
import { StackError } from './error.ts';
import type { Instance } from './instances.ts';

const deadlineMs = 60_000;

/** Waits until every instance is ready, and nothing about it degraded. Throws a StackError with the reason after a minute. */
export async function untilReady(instances: readonly Instance[]): Promise<void> {
  await Promise.all(instances.map((instance) => untilInstanceReady(instance)));
}

async function untilInstanceReady({ name, probe }: Instance): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const reason = await notReadyReason(probe);
    if (reason === null) return;
    if (Date.now() > deadline) throw new StackError(`${name} did not become ready within a minute: ${reason}`);
    await wait(20);
  }
}

/** Null if it is ready, else the reason why not. */
async function notReadyReason(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
    const text = await response.text();
    return response.ok && (JSON.parse(text) as { status?: unknown }).status === 'ready' ? null : text;
  } catch (error) {
    return reasonOf(error);
  }
}
