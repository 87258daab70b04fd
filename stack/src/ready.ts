import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from '@storefront/backing';
import { StackError } from './error.ts';
import type { Instance } from './instances.ts';

const deadlineMs = 60_000;
const degradedMs = 5_000;

/**
 * Waits until every instance is ready. A degraded instance can serve requests, so it is accepted when it stays degraded
 * for some seconds; `say` then receives a line about it. Throws a StackError with the reason after a minute.
 */
export async function untilReady(
  instances: readonly Pick<Instance, 'name' | 'probe'>[],
  say: (line: string) => void,
  degradedForMs = degradedMs,
): Promise<void> {
  await Promise.all(
    instances.map(async ({ name, probe }) => {
      const begun = Date.now();
      let degradedSince: number | undefined;
      for (;;) {
        const { status, answer } = await look(probe);
        if (status === 'ready') return;
        degradedSince = status === 'degraded' ? (degradedSince ?? Date.now()) : undefined;
        if (degradedSince && Date.now() - degradedSince > degradedForMs) return say(`${name} is degraded: ${answer}`);
        if (Date.now() - begun > deadlineMs)
          throw new StackError(`${name} did not become ready within a minute: ${answer}`);
        await wait(20);
      }
    }),
  );
}

async function look(url: string): Promise<{ status?: unknown; answer: string }> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
    const answer = await response.text();
    return { status: (JSON.parse(answer) as { status?: unknown }).status, answer };
  } catch (error) {
    return { answer: reasonOf(error) };
  }
}
