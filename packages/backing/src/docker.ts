import { BackingError, reasonOf } from './error.ts';

/** A server in a container, which testcontainers removes with its data when this process ends. */
export interface Containered {
  readonly url: string;
  readonly described: string;
  readonly close: () => Promise<void>;
}

/** MongoDB as a replica set of one, in Docker. The library is loaded only here: most starts need none of it. */
export function startMongodbInDocker(): Promise<Containered> {
  return inDocker('mongo:8', async (image) => {
    const { MongoDBContainer } = await import('@testcontainers/mongodb');
    const container = await new MongoDBContainer(image).start();
    return { url: container.getConnectionString(), close: async () => void (await container.stop()) };
  });
}

/** RabbitMQ in Docker. */
export function startRabbitmqInDocker(): Promise<Containered> {
  return inDocker('rabbitmq:4', async (image) => {
    const { RabbitMQContainer } = await import('@testcontainers/rabbitmq');
    const container = await new RabbitMQContainer(image).start();
    return { url: container.getAmqpUrl(), close: async () => void (await container.stop()) };
  });
}

async function inDocker(
  image: string,
  start: (image: string) => Promise<Omit<Containered, 'described'>>,
): Promise<Containered> {
  try {
    const { url, close } = await start(image);
    return { url, close, described: `${image} in Docker (its data goes when it stops)` };
  } catch (error) {
    throw new BackingError(`Docker answers but could not start ${image}: ${reasonOf(error)}.`);
  }
}
