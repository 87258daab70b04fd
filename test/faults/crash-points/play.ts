import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a program of this folder, told by JSON in its argument; it ends with this process at the latest. */
export function play(program: string, told: object): ChildProcess {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const node = ['--conditions=source', '--disable-warning=ExperimentalWarning', file, JSON.stringify(told)];
  return spawn(process.execPath, node, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Answers the signal that ended it, or its exit code. */
export async function ended(child: ChildProcess): Promise<NodeJS.Signals | number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? child.exitCode;
}
