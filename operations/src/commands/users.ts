// A step of a deployment: creates a separate user for each service in MongoDB and in RabbitMQ.
import { deployUsers } from '@storefront/messaging';
import { deployDatabaseUsers } from '@storefront/mongo';
import { ConfigError, loadCommandConfig, loadConfig, readCommandLine } from '@storefront/process';
import { backupConfig } from '../backup/config.ts';
import { splitAddress } from '../backup/databases.ts';
import type { Command } from '../command.ts';
import { reportSteps } from '../steps.ts';
import { passwordVariable, specialBusUsers, usersConfig, usersOf } from '../config.ts';

const usage = `Gives each service a user of its own at MongoDB, with rights on its own database alone, and at RabbitMQ, where it may
publish its own facts and consume its own queues alone; the gateway has one at RabbitMQ, too, an order system one that publishes
alone, and health one that may read dead letters and send them back.
To be run before the services start, and again with other passwords to change them: running services keep the connections
that they have. Takes the passwords from MONGODB_PASSWORD_<NAME> and RABBITMQ_PASSWORD_<NAME>, as \`secrets\` prints
them; for MongoDB's users MONGODB_URL, for RabbitMQ's AMQP_URL and RABBITMQ_MANAGEMENT_URL; without any of them it makes those
of MongoDB at the system that npm start runs on DATA_DIR (.data). Exits with 1 where a step failed.
`;

export const users: Command = {
  summary: 'gives each service a user of its own at MongoDB and at RabbitMQ',
  async run(args) {
    readCommandLine(usage, {}, args);
    const { mongodb, rabbitmq, passwords } = readServers();
    const usersFor = (server: keyof typeof usersOf) =>
      usersOf[server].map((name) => {
        const variable = passwordVariable(server, name);
        const password = passwords[variable];
        if (typeof password !== 'string') throw new ConfigError(`${variable} is required.`);
        return { name, password, ...specialBusUsers[name] };
      });
    const ofMongodb = mongodb && {
      url: mongodb.server,
      users: usersFor('MongoDB').map((user) => ({ ...user, database: `${mongodb.prefix}${user.name}` })),
    };
    const ofRabbitmq = rabbitmq && { ...rabbitmq, users: usersFor('RabbitMQ') };
    const steps = await Promise.all([
      ofMongodb ? deployDatabaseUsers(ofMongodb) : [],
      ofRabbitmq ? deployUsers(ofRabbitmq) : [],
    ]);
    reportSteps(steps.flat());
  },
};

interface Servers {
  readonly mongodb?: { readonly server: string; readonly prefix: string } | undefined;
  readonly rabbitmq?: { readonly url: string; readonly managementUrl: string } | undefined;
  readonly passwords: Readonly<Record<string, unknown>>;
}

/** Reads the servers on which users are made, and the passwords. */
function readServers(): Servers {
  const passwords = loadConfig(usersConfig, process.env);
  const { MONGODB_URL: server, AMQP_URL: url, RABBITMQ_MANAGEMENT_URL: managementUrl } = passwords;
  if ((url === undefined) !== (managementUrl === undefined))
    throw new ConfigError('AMQP_URL and RABBITMQ_MANAGEMENT_URL are required together.');
  if (server !== undefined || url !== undefined)
    return {
      mongodb: server === undefined ? undefined : { server, prefix: '' },
      rabbitmq: url === undefined || managementUrl === undefined ? undefined : { url, managementUrl },
      passwords,
    };
  // The RabbitMQ of npm start has no management interface, so it has no users but one.
  const { MONGODB_URL } = loadCommandConfig(backupConfig.pick({ MONGODB_URL: true }), 'all');
  return { mongodb: splitAddress(MONGODB_URL), passwords };
}
