import { join } from 'node:path';
import { startProxy } from '@storefront/testing/tcp-proxy';
import { findPrograms } from './backing.ts';
import type { BackingOptions, RigBacking } from './backing.ts';
import { startMongodbCluster } from './mongodb-cluster.ts';
import { startRabbitmqCluster } from './rabbitmq-cluster.ts';

/**
 * What a distributed set-up stands on: MongoDB as a replica set of three, RabbitMQ as a cluster of three nodes behind one
 * address that leads to those that live. All on loopback.
 */
export async function startClusteredBacking({ dataDir, reaper, say }: BackingOptions): Promise<RigBacking> {
  const { mongod, rabbitmq: programs } = await findPrograms(say);
  const [mongodb, rabbitmq] = await Promise.all([
    startMongodbCluster({ binary: mongod, dataDir: join(dataDir, 'mongodb'), reaper }),
    startRabbitmqCluster({ programs, dataDir: join(dataDir, 'rabbitmq'), reaper }),
  ]);
  const front = await startProxy(rabbitmq.urls);
  const quiet = await startProxy(rabbitmq.urls);
  return {
    servers: [...mongodb.servers, ...rabbitmq.servers],
    roles: [mongodb.primary, rabbitmq.leader],
    networks: new Map([['rabbitmq', front]]),
    told: { mongodb: mongodb.url, amqp: front.url },
    direct: { mongodb: mongodb.url, amqp: quiet.url },
    async close() {
      await Promise.all([front.close(), quiet.close()]);
      await Promise.all([mongodb.close(), rabbitmq.close()]);
    },
  };
}
