// The commands for operators of the system. They run as `npm run <command>` and in the image `operations`.
import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { deadLetters } from './commands/dead-letters.ts';
import { erased } from './commands/erased.ts';
import { kubernetesSecrets } from './commands/kubernetes-secrets.ts';
import { restore } from './commands/restore.ts';
import { secrets } from './commands/secrets.ts';
import { shard } from './commands/shard.ts';
import { topology } from './commands/topology.ts';
import { users } from './commands/users.ts';

const commands: Readonly<Record<string, Command>> = {
  secrets,
  'kubernetes-secrets': kubernetesSecrets,
  users,
  topology,
  shard,
  'dead-letters': deadLetters,
  backup,
  erased,
  restore,
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  const isAsked = name === '--help' || name === '-h';
  (isAsked ? process.stdout : process.stderr).write(usage());
  process.exit(isAsked ? 0 : 1);
}
try {
  await command.run(args);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function usage(): string {
  const lines = Object.entries(commands).map(([each, { summary }]) => `  ${each.padEnd(18)} ${summary}\n`);
  return `Commands for operators of the system. Each says more after --help.\n\n${lines.join('')}`;
}
