import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from '@storefront/backing';
import type { BackOff } from './back-off.ts';

/**
 * Restarts a process that has ended, after the delay of `backOff`. Failed starts are repeated until one succeeds.
 * Returns undefined where the signal is aborted first.
 */
export async function restart<Started>(
  name: string,
  start: () => Promise<Started>,
  options: { backOff: BackOff; signal: AbortSignal; say: (line: string) => void },
): Promise<Started | undefined> {
  const { backOff, signal, say } = options;
  for (;;) {
    await wait(backOff.next(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    backOff.started();
    try {
      return await start();
    } catch (error) {
      if (signal.aborted) return undefined;
      say(`${name} could not be started again: ${reasonOf(error)}`);
    }
  }
}
