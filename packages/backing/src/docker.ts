import { BackingError, reasonOf } from './error.ts';

/** A server in a container. Testcontainers removes the container and its data when this process ends. */
export interface DockerServer {
  readonly url: string;
  readonly described: string;
  readonly close: () => Promise<void>;
}

/** Starts MongoDB as a replica set of one. The library is loaded only here, because most starts don't need it. */
export function startMongodbInDocker(): Promise<DockerServer> {
  return inDocker('mongo:8', async (image) => {
    const { MongoDBContainer } = await import('@testcontainers/mongodb');
    const container = await new MongoDBContainer(image).start();
    return { url: container.getConnectionString(), close: async () => void (await container.stop()) };
  });
}

/** Starts RabbitMQ in Docker. */
export function startRabbitmqInDocker(): Promise<DockerServer> {
  return inDocker('rabbitmq:4', async (image) => {
    const { RabbitMQContainer } = await import('@testcontainers/rabbitmq');
    const container = await new RabbitMQContainer(image).start();
    return { url: container.getAmqpUrl(), close: async () => void (await container.stop()) };
  });
}

async function inDocker(
  image: string,
  start: (image: string) => Promise<Omit<DockerServer, 'described'>>,
): Promise<DockerServer> {
  try {
    const { url, close } = await start(image);
    return { url, close, described: `${image} in Docker (its data goes when it stops)` };
  } catch (error) {
    throw new BackingError(`Docker answers but could not start ${image}: ${reasonOf(error)}.`);
  }
}
