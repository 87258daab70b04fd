import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The first candidate that is an executable file. */
export async function firstExecutable(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Try the next one.
    }
  }
  return undefined;
}

/** Finds a program on the PATH. */
export function onPath(program: string): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return firstExecutable(folders.map((folder) => join(folder, program)));
}

/** The standard output of a program, or undefined if it fails or takes longer than `timeoutMs`. */
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

/** Whether Docker's engine answers. Where none runs the answer comes at once; one that hangs is given up after 5 s. */
export async function dockerAnswers(): Promise<boolean> {
  return (await outputOf('docker', ['version', '--format', '{{.Server.Version}}'], 5_000)) !== undefined;
}
