import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const commands = fileURLToPath(new URL('../../../services/engagement/src/cli.ts', import.meta.url));
// Each step of a long command is a line of its progress.
const maxBuffer = 64 * 1024 * 1024;

/** Runs a command of engagement on the system with that folder, as an operator does. Returns how many seconds it took. */
export async function runEngagement(dataDir: string, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const env = { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir };
  await promisify(execFile)(process.execPath, [...process.execArgv, commands, ...args], { env, maxBuffer });
  return (performance.now() - begun) / 1000;
}
