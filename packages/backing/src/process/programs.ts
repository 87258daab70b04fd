import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the first candidate that is an executable file; undefined if there is none. */
export async function firstExecutable(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // The next candidate is tried.
    }
  }
  return undefined;
}

/** Finds a program on the PATH; undefined if it is not there. */
export function onPath(program: string): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return firstExecutable(folders.map((folder) => join(folder, program)));
}

/** Returns the standard output of a program; undefined if the program fails or takes longer than `timeoutMs`. */
export async function outputOf(
  program: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string | undefined> {
  try {
    const { stdout } = await run(program, args, { timeout: timeoutMs, killSignal: 'SIGKILL' });
    return stdout;
  } catch {
    return undefined;
  }
}

/**
 * Whether Docker's engine answers. Without a running engine the result comes at once; if the engine hangs, it comes
 * after 5 s.
 */
export async function dockerAnswers(): Promise<boolean> {
  return (await outputOf('docker', ['version', '--format', '{{.Server.Version}}'], 5_000)) !== undefined;
}
