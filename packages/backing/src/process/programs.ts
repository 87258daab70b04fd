import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The first of the candidates that is an executable file. */
export async function firstExecutable(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // The next one may be.
    }
  }
  return undefined;
}

/** Where a program lies on the PATH. */
export function onPath(program: string, path = process.env['PATH'] ?? ''): Promise<string | undefined> {
  return firstExecutable(
    path
      .split(delimiter)
      .filter(Boolean)
      .map((folder) => join(folder, program)),
  );
}

/** What the program prints, or undefined when it fails or takes longer than `timeoutMs`. */
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

/** Whether a container engine answers; asks for at most two seconds. */
export async function dockerAnswers(): Promise<boolean> {
  return (await outputOf('docker', ['info', '--format', '{{.ServerVersion}}'], 2_000)) !== undefined;
}
