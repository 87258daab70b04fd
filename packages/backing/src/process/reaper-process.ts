// The process that reaper.ts starts. It reads commands, one JSON object per line, until the process that sends them has
// ended. Then it ends the watched process groups, and removes the watched containers and paths.
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
// The engine may still have been creating a container when its client ended, so containers are removed a second time.
if (containers.size > 0) {
  await wait(2_000);
  removeContainers();
}
for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** Removes the containers. Errors are ignored: a missing container was never created or is already removed. */
function removeContainers(): void {
  for (const [name, docker] of containers)
    spawnSync(docker, ['rm', '--force', '--volumes', name], { stdio: 'ignore', timeout: 120_000 });
}

/** Sends the signal to the process groups and returns the groups that received it. */
function signalGroups(leaders: number[], signal: NodeJS.Signals | 0): number[] {
  return leaders.filter((leader) => {
    // While a group has members, the system does not reuse the pid of its leader. So a process with this pid and
    // another start time is not the watched one.
    const now = startTimeOf(leader);
    if (now !== undefined && now !== watched.get(leader)) return false;
    try {
      return process.kill(-leader, signal);
    } catch {
      return false;
    }
  });
}
