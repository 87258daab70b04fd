import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readDemoShop } from './demo-shop.ts';
import { StackError } from './error.ts';
import type { Instance } from './instances.ts';

const commands = fileURLToPath(new URL('../../services/engagement/src/cli.ts', import.meta.url));

/**
 * Gives the demo shop a year of history of about so many facts, up to yesterday: a command of engagement writes it, and the running service counts it. A
 * later start adds the days since.
 */
export async function fillHistory(
  instances: readonly Instance[],
  size: number,
  say: (line: string) => void,
): Promise<void> {
  const engagement = instances.find(({ service }) => service.name === 'engagement');
  if (!engagement) throw new StackError('There is no engagement service that could have a history.');
  const { products } = await readDemoShop();
  say('Making a year of history …');
  // Engagement knows the products by events, which may still be on their way.
  const args = [commands, 'make-history', '--products', String(products.length), '--size', String(size)];
  try {
    const run = promisify(execFile)(process.execPath, [...process.execArgv, ...args], { env: engagement.env });
    const { stdout } = await run;
    say(stdout.trim());
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string };
    throw new StackError(`The history could not be made: ${stderr.trim()} Start without --history.`);
  }
}
