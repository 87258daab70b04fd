import { fork } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@storefront/backing';
import { expect, onTestFinished, test } from 'vitest';

/** Ports that another process chooses. It lives until the test ends. */
async function chosenByAnotherProcess(count: number): Promise<number[]> {
  const child = fork(new URL('programs/choose-ports.ts', import.meta.url), [String(count)], {
    execArgv: ['--conditions=source'],
  });
  onTestFinished(() => child.disconnect());
  const [ports] = await once(child, 'message');
  return ports as number[];
}

test.runIf(process.platform === 'linux')(
  'systems that start at once choose different ports, though none listens yet',
  async () => {
    const chosen = await Promise.all([
      chosenByAnotherProcess(300),
      chosenByAnotherProcess(300),
      chosenByAnotherProcess(300),
    ]);
    const own = await Promise.all(Array.from({ length: 100 }, () => freePort()));
    const all = [...chosen.flat(), ...own];
    expect(all).toHaveLength(1000);
    expect(new Set(all).size).toBe(1000);
  },
);
