import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { firstExecutable, onPath } from '../process/programs.ts';

export interface RabbitmqPrograms {
  server: string;
  epmd: string;
}

/**
 * Finds RabbitMQ's start script and Erlang's port mapper; undefined if one is missing. Debian's
 * `/usr/sbin/rabbitmq-server` switches to the system user `rabbitmq`, so the script that it calls is preferred.
 */
export async function findRabbitmq(): Promise<RabbitmqPrograms | undefined> {
  const server =
    (await firstExecutable(['/usr/lib/rabbitmq/bin/rabbitmq-server'])) ?? (await onPath('rabbitmq-server'));
  const erl = await onPath('erl');
  if (server === undefined || erl === undefined) return undefined;
  const epmd = (await onPath('epmd')) ?? (await epmdBeside(erl));
  return epmd === undefined ? undefined : { server, epmd };
}

async function epmdBeside(erl: string): Promise<string | undefined> {
  const root = dirname(dirname(await realpath(erl)));
  const runtimes = (await readdir(root)).filter((entry) => entry.startsWith('erts-'));
  return firstExecutable(runtimes.map((runtime) => join(root, runtime, 'bin', 'epmd')));
}
