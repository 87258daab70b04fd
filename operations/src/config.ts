import { busClients, serviceNames } from '@storefront/contracts';
import type { BusUser } from '@storefront/messaging';
import { configTypes } from '@storefront/process';
import { z } from 'zod';

/** The variables of `npm run topology`. */
export const topologyConfig = z.object({
  AMQP_URL: configTypes.amqpUrl.describe('RabbitMQ.'),
  ALLOW_CLEARTEXT: configTypes.allowCleartext,
  RABBITMQ_MANAGEMENT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "RabbitMQ's management interface, which sets policies. Without user and password it takes those of `AMQP_URL`.",
    ),
});

/** The names that get a user in each of the two servers. */
export const usersOf = { MongoDB: serviceNames, RabbitMQ: [...busClients, 'order-system'] } as const;

/**
 * What the clients of RabbitMQ may that are no ordinary services: an order system outside only publishes what the orders
 * service would, and the health service handles dead letters.
 */
export const specialBusUsers: Readonly<Record<string, Pick<BusUser, 'kind' | 'publishesAs'>>> = {
  'order-system': { kind: 'publisher', publishesAs: 'orders' },
  health: { kind: 'replayer' },
};

/** The variable with the password of a user, such as `MONGODB_PASSWORD_IDENTITY`. */
export function passwordVariable(server: keyof typeof usersOf, name: string): string {
  return `${server}_PASSWORD_${name.replaceAll('-', '_')}`.toUpperCase();
}

const passwordsFor = (server: keyof typeof usersOf) =>
  Object.fromEntries(
    usersOf[server].map((name) => [
      passwordVariable(server, name),
      configTypes.secret.optional().describe(`The password of the ${server} user \`${name}\`.`),
    ]),
  );

/** The address of a MongoDB server. The name of a database is not required. */
const mongodbServer = z.string().regex(/^mongodb(\+srv)?:\/\/.+/, { error: 'must be a mongodb:// address' });

/** The variables of `npm run shard`. */
export const shardConfig = z.object({
  ALLOW_CLEARTEXT: configTypes.allowCleartext,
  MONGODB_URL: mongodbServer.describe('A `mongos` of the cluster, with a user who may spread collections.'),
});

/** The variables of `npm run users`. */
export const usersConfig = z
  .object({
    MONGODB_URL: mongodbServer
      .optional()
      .describe('MongoDB, with a user who may make users; without it those of MongoDB are left as they are.'),
    AMQP_URL: topologyConfig.shape.AMQP_URL.optional().describe('RabbitMQ; without it its users are left as they are.'),
    ALLOW_CLEARTEXT: configTypes.allowCleartext,
    RABBITMQ_MANAGEMENT_URL: topologyConfig.shape.RABBITMQ_MANAGEMENT_URL.describe(
      "RabbitMQ's management interface, which makes users. Without user and password it takes those of `AMQP_URL`.",
    ),
  })
  .extend(passwordsFor('MongoDB'))
  .extend(passwordsFor('RabbitMQ'));
