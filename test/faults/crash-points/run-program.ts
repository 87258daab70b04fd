import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a program of this folder with `input` as JSON in its argument. It ends when this process ends. */
export function runProgram(program: string, input: object): ChildProcess {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const args = ['--conditions=source', '--disable-warning=ExperimentalWarning', file, JSON.stringify(input)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Waits for the end of the process. Returns the signal that ended it, or its exit code. */
export async function ended(child: ChildProcess): Promise<NodeJS.Signals | number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? child.exitCode;
}
