// The process that reaper.ts starts. It reads commands, one JSON object per line, until the process that sends them has
// ended; then it ends the watched process groups and removes the watched containers and the paths.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { startTimeOf } from './start-time.ts';

const graceMs = 3_000;
const watched = new Map<number, string | undefined>();
const containers = new Map<string, string>();
const paths = new Set<string>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
for await (const line of createInterface({ input: process.stdin })) {
  const command: {
    watch?: number;
    forget?: number;
    watchContainer?: string;
    docker?: string;
    forgetContainer?: string;
    remove?: string;
  } = JSON.parse(line);
  if (command.watch !== undefined) watched.set(command.watch, startTimeOf(command.watch));
  if (command.forget !== undefined) watched.delete(command.forget);
  if (command.watchContainer !== undefined && command.docker !== undefined)
    containers.set(command.watchContainer, command.docker);
  if (command.forgetContainer !== undefined) containers.delete(command.forgetContainer);
  if (command.remove !== undefined) paths.add(command.remove);
}

const deadline = Date.now() + graceMs;
let left = signalGroups([...watched.keys()], 'SIGTERM');
while (left.length > 0 && Date.now() < deadline) {
  await wait(50);
  left = signalGroups(left, 0);
}
signalGroups(left, 'SIGKILL');
removeContainers();
// The engine may have been making one when its client ended: then it is there only now.
if (containers.size > 0) {
  await wait(2_000);
  removeContainers();
}
for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** Nobody reads what the command says, and one that is not there is no error: it was not made, or is gone already. */
function removeContainers(): void {
  for (const [name, docker] of containers)
    spawnSync(docker, ['rm', '--force', '--volumes', name], { stdio: 'ignore', timeout: 120_000 });
}

/** Sends the signal to the groups and returns those that received it. */
function signalGroups(leaders: number[], signal: NodeJS.Signals | 0): number[] {
  return leaders.filter((leader) => {
    // While a group has members the system does not reuse the pid of its leader. A process with that pid and another
    // start time is therefore not the one that was watched.
    const now = startTimeOf(leader);
    if (now !== undefined && now !== watched.get(leader)) return false;
    try {
      return process.kill(-leader, signal);
    } catch {
      return false;
    }
  });
}
