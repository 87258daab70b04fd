// Lists the users to erase again after an older backup is restored.
import { ConfigError, loadCommandConfig, readCommandLine } from '@storefront/process';
import { z } from 'zod';
import { erasedConfig } from '../backup/config.ts';
import { openDatabases } from '../backup/databases.ts';
import type { Command } from '../command.ts';
import { listErased } from '../erased-list.ts';

const usage = `Users who were erased. To be run before an older backup is restored, which would bring them back.

  list [--since <time>]   prints them, the first erased first: a hash of each id, and the time; as far back as is kept, which
                          is 90 days, or since a time such as 2026-11-23T00:00:00Z

Write it into a file, restore, and have identity erase them again: identity -- erase-again <file>
Requires MONGODB_URL; beside npm start it does not.
`;

export const erased: Command = {
  summary: 'lists whom to erase again after an older backup is restored',
  async run(args) {
    const { positionals, values } = readCommandLine(usage, { since: { type: 'string' } }, args);
    if (positionals.length !== 1 || positionals[0] !== 'list') throw new ConfigError(usage);
    const time = z.iso.datetime({ offset: true }).optional().safeParse(values.since);
    if (!time.success) throw new ConfigError('--since must be a time, such as 2026-11-23T00:00:00Z.');
    const databases = await openDatabases(loadCommandConfig(erasedConfig, 'all').MONGODB_URL);
    try {
      const lines = await listErased(databases, new Date(time.data ?? 0));
      process.stdout.write(lines.map((line) => `${line}\n`).join(''));
      process.stderr.write(`${lines.length} users and registrations\n`);
    } finally {
      await databases.close();
    }
  },
};
