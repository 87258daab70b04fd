import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { plainEnv } from './plain-env.ts';

/** What a command wrote, and its exit code. */
export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let runs = 0;

/**
 * Runs the command line of a service, `cli.ts`, with these arguments and nothing but these variables, in the process of the test:
 * a process of its own takes a second of the processor's time for its modules. One at a time. Use `startCommand` where the command
 * reads standard input or is killed, and in one test of each command, which runs it as its users do.
 */
export async function runCommand(
  cli: URL,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<CommandOutcome> {
  let [out, err] = ['', ''];
  const ended = new Error('the command has ended');
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += String(text);
      return true;
    }),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      process.exitCode = code ?? 0;
      throw ended;
    }),
  ];
  const { argv, env: ownEnv, exitCode } = process;
  const listeners = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  process.argv = [...argv.slice(0, 1), cli.pathname, ...args];
  process.env = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  process.exitCode = undefined;
  try {
    runs += 1;
    // A module runs once for each address.
    await import(`${cli.href}?run=${runs}`).catch((error: unknown) => {
      if (error !== ended) throw error;
    });
    const { exitCode: code = 0 } = process as { exitCode?: number };
    return { code, out, err };
  } finally {
    Object.assign(process, { argv, env: ownEnv, exitCode });
    for (const [signal, before] of listeners)
      for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
    for (const spy of spies) spy.mockRestore();
  }
}

/**
 * Starts the command line of a service, `cli.ts`, as a process with these arguments, and nothing but these variables and
 * `plainEnv`. The code of `outcome` is null where a signal ended it.
 */
export function startCommand(
  cli: URL,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): {
  readonly child: ChildProcessWithoutNullStreams;
  readonly outcome: Promise<{ code: number | null; out: string; err: string }>;
} {
  const child = spawn(process.execPath, ['--conditions=source', cli.pathname, ...args], {
    env: { ...plainEnv, ...env },
  });
  const outcome = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, err]) => ({ code: code as number | null, out, err }),
  );
  return { child, outcome };
}
