// Restores a backup into an empty system.
import { resolve } from 'node:path';
import { ConfigError, loadCommandConfig, readCommandLine } from '@storefront/process';
import { brokerToFill } from '../backup/broker.ts';
import { restoreConfig } from '../backup/config.ts';
import { openDatabases } from '../backup/databases.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import type { Command } from '../command.ts';

const usage = `Puts a backup into a system whose services do not run. Nobody is logged in afterwards.

  restore <folder>    what npm run backup has written

  --force             first deletes what the databases and the queues hold. Also to repeat what was interrupted

Requires MONGODB_URL and AMQP_URL; RABBITMQ_MANAGEMENT_URL for the policies. npm start restores with npm start -- --restore <folder>. Nothing is written before every file of the
backup was found undamaged. Start the services only after it has ended with 0.
`;

export const restore: Command = {
  summary: 'puts a backup into an empty system whose services do not run',
  async run(args) {
    const { positionals, values } = readCommandLine(usage, { force: { type: 'boolean', default: false } }, args);
    const [folder] = positionals;
    if (folder === undefined || positionals.length > 1) throw new ConfigError(usage);
    const config = loadCommandConfig(restoreConfig, 'all');
    const say = (line: string) => void process.stderr.write(`${line}\n`);
    const started = performance.now();
    const databases = await openDatabases(config.MONGODB_URL);
    try {
      const broker = brokerToFill(config.AMQP_URL, config.RABBITMQ_MANAGEMENT_URL);
      await restoreBackup({ folder: resolve(folder), databases, broker, force: values.force, say });
      process.stdout.write(`Restored in ${Math.round(performance.now() - started) / 1000} s. Start the services.\n`);
    } finally {
      await databases.close();
    }
  },
};
