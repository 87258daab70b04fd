import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RabbitmqPrograms } from './find.ts';

const run = promisify(execFile);
const timeLimitMs = 30_000;

/**
 * Runs `rabbitmqctl` on a private node and returns its output. `env` is the node's environment. Throws if the command
 * fails or takes longer than 30 s.
 */
export async function controlRabbitmq(
  { server }: RabbitmqPrograms,
  { node, env }: { node: string; env: NodeJS.ProcessEnv },
  args: readonly string[],
): Promise<string> {
  const tool = join(dirname(server), 'rabbitmqctl');
  const { stdout } = await run(tool, ['-n', node, '--quiet', ...args], { env, timeout: timeLimitMs });
  return stdout;
}
