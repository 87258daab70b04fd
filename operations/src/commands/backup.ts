// Writes a backup of all databases while the system runs.
import { resolve } from 'node:path';
import { ConfigError, loadCommandConfig, readCommandLine } from '@storefront/process';
import { brokerToRead } from '../backup/broker.ts';
import { backupConfig } from '../backup/config.ts';
import { openDatabases } from '../backup/databases.ts';
import { takeBackup } from '../backup/take-backup.ts';
import type { Command } from '../command.ts';

const usage = `Writes the databases of all services, as they are at one moment, into a folder. The system may run meanwhile.

  backup <folder>     a folder that is empty, or does not exist yet

  --events <minutes>  also takes events that were published so many minutes before that moment; default 60. More than
                      the longest time for which a service was away, or could not publish, until then

Requires MONGODB_URL, and AMQP_URL for dead letters; beside npm start neither. Secrets are in no backup: keep .env apart.
`;

export const backup: Command = {
  summary: 'writes a backup of all databases while the system runs',
  async run(args) {
    const { positionals, values } = readCommandLine(usage, { events: { type: 'string', default: '60' } }, args);
    const [folder] = positionals;
    if (folder === undefined || positionals.length > 1) throw new ConfigError(usage);
    if (!/^\d{1,6}$/.test(values.events)) throw new ConfigError('--events must be a whole number of minutes.');
    const config = loadCommandConfig(backupConfig, 'all');
    const say = (line: string) => void process.stderr.write(`${line}\n`);
    const started = performance.now();
    const databases = await openDatabases(config.MONGODB_URL);
    try {
      const broker = config.AMQP_URL === undefined ? null : brokerToRead(config.AMQP_URL, say);
      const eventMinutes = Number(values.events);
      const manifest = await takeBackup({ databases, broker, folder: resolve(folder), eventMinutes, say });
      const files = manifest.databases.flatMap(({ collections }) => collections);
      const sum = (of: 'bytes' | 'documents') => files.reduce((total, each) => total + each[of], 0);
      process.stdout.write(
        `${resolve(folder)}: ${sum('documents')} documents of ${files.length} collections, ${manifest.events.documents} ` +
          `events, ${sum('bytes') + manifest.events.bytes} bytes, ${Math.round(performance.now() - started) / 1000} s\n`,
      );
    } finally {
      await databases.close();
    }
  },
};
