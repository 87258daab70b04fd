// A step of a deployment: creates a separate user for each service in MongoDB and in RabbitMQ.
import { deployUsers } from '@storefront/messaging';
import { deployDatabaseUsers } from '@storefront/mongo';
import { ConfigError, loadConfig, readCommandLine } from '@storefront/process';
import type { Command } from '../command.ts';
import { reportSteps } from '../steps.ts';
import { passwordVariable, publishers, usersConfig, usersOf } from '../config.ts';

const usage = `Gives each service a user of its own at MongoDB, with rights on its own database alone, and at RabbitMQ, where it may
publish its own facts and consume its own queues alone; the gateway has one at RabbitMQ, too, and an order system one that publishes alone.
To be run before the services start, and again with other passwords to change them: running services keep the connections
that they have. Takes the passwords from MONGODB_PASSWORD_<NAME> and RABBITMQ_PASSWORD_<NAME>, as \`secrets\` prints
them; for MongoDB's users MONGODB_URL, for RabbitMQ's AMQP_URL and RABBITMQ_MANAGEMENT_URL. Exits with 1 where a step failed.
`;

export const users: Command = {
  summary: 'gives each service a user of its own at MongoDB and at RabbitMQ',
  async run(args) {
    readCommandLine(usage, {}, args);
    const config = loadConfig(usersConfig, process.env);
    const { MONGODB_URL: mongodbUrl, AMQP_URL: url, RABBITMQ_MANAGEMENT_URL: managementUrl } = config;
    if ((url === undefined) !== (managementUrl === undefined))
      throw new ConfigError('AMQP_URL and RABBITMQ_MANAGEMENT_URL are required together.');
    if (mongodbUrl === undefined && url === undefined) throw new ConfigError(usage);

    const passwords = config as Readonly<Record<string, string | undefined>>;
    const usersFor = (server: keyof typeof usersOf) =>
      usersOf[server].map((name) => {
        const variable = passwordVariable(server, name);
        const password = passwords[variable];
        if (password === undefined) throw new ConfigError(`${variable} is required.`);
        return { name, password, publishesOnly: publishers.includes(name) };
      });
    const ofRabbitmq =
      url === undefined || managementUrl === undefined
        ? undefined
        : { url, managementUrl, users: usersFor('RabbitMQ') };
    const ofMongodb = mongodbUrl === undefined ? undefined : { url: mongodbUrl, users: usersFor('MongoDB') };
    const steps = await Promise.all([
      ofMongodb ? deployDatabaseUsers(ofMongodb) : [],
      ofRabbitmq ? deployUsers(ofRabbitmq) : [],
    ]);
    reportSteps(steps.flat());
  },
};
