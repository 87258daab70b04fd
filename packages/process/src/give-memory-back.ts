import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const lookEveryMs = 1000;
// The share of its time that a process is busy. The whole system in one process takes 0.02 to 0.04 at rest.
const idleBelow = 0.1;

/**
 * Lets V8 give the memory of a past load back to the operating system: some ten seconds after this process has become
 * idle, instead of after 100 s or later. That needs a load under which V8 has collected its whole heap, not only the
 * young generation. In its memory saver mode V8 then collects the heap in small steps, whatever is allocated. Under load
 * the mode would make collections dearer, so it is on only while the process is idle
 * (docs/decisions/0088-memory-is-given-back.md).
 */
export function giveMemoryBackWhenIdle(): void {
  let last = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    setFlagsFromString(utilization < idleBelow ? '--memory-saver-mode' : '--no-memory-saver-mode');
  }, lookEveryMs).unref();
}
