import { join } from 'node:path';
import { startProxy } from '@storefront/testing/tcp-proxy';
import { findPrograms, type RigBacking, type RigBackingOptions } from './backing.ts';
import { startLinks } from './links.ts';
import { startMongodbCluster } from './mongodb-cluster.ts';
import { startRabbitmqCluster } from './rabbitmq-cluster.ts';

/**
 * Starts MongoDB as a replica set of three, and RabbitMQ as a cluster of three nodes behind proxies that connect to a
 * running node. All listen on loopback.
 */
export async function startClusteredBacking({
  dataDir,
  instances,
  reaper,
  say,
}: RigBackingOptions): Promise<RigBacking> {
  const { mongod, rabbitmq: programs } = await findPrograms(say);
  const [mongodb, rabbitmq] = await Promise.all([
    startMongodbCluster({ binary: mongod, dataDir: join(dataDir, 'mongodb'), reaper }),
    startRabbitmqCluster({ programs, dataDir: join(dataDir, 'rabbitmq'), reaper }),
  ]);
  const links = await startLinks(instances, { amqp: rabbitmq.urls });
  const directProxy = await startProxy(rabbitmq.urls);
  return {
    servers: [...mongodb.servers, ...rabbitmq.servers],
    roles: [mongodb.primary, rabbitmq.leader],
    links,
    direct: { mongodb: mongodb.url, amqp: directProxy.url, queueType: 'quorum' },
    async close() {
      await Promise.all([links.close(), directProxy.close()]);
      await Promise.all([mongodb.close(), rabbitmq.close()]);
    },
  };
}
