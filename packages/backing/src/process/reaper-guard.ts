// The guard that reaper.ts starts: reads orders, one JSON object a line, until the process that gives them is gone, then
// ends what it was told to watch.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { startTimeOf } from './start-time.ts';

const graceMs = 3_000;
const watched = new Map<number, string | undefined>();
const paths = new Set<string>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
for await (const line of createInterface({ input: process.stdin })) {
  const order: { watch?: number; forget?: number; remove?: string } = JSON.parse(line);
  if (order.watch !== undefined) watched.set(order.watch, startTimeOf(order.watch));
  if (order.forget !== undefined) watched.delete(order.forget);
  if (order.remove !== undefined) paths.add(order.remove);
}

const deadline = Date.now() + graceMs;
let left = signalGroups([...watched.keys()], 'SIGTERM');
while (left.length > 0 && Date.now() < deadline) {
  await wait(50);
  left = signalGroups(left, 0);
}
signalGroups(left, 'SIGKILL');
for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** Sends the signal to the groups and answers those that were there to receive it. */
function signalGroups(leaders: number[], signal: NodeJS.Signals | 0): number[] {
  return leaders.filter((leader) => {
    // A leader that is gone while members live keeps its number out of use; one that began at another time is a stranger.
    const now = startTimeOf(leader);
    if (now !== undefined && now !== watched.get(leader)) return false;
    try {
      return process.kill(-leader, signal);
    } catch {
      return false;
    }
  });
}
