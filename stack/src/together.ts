import { topology } from '@storefront/contracts';
import { createInProcessBroker } from '@storefront/messaging';
import { ConfigError, type LocalHandler, type Running } from '@storefront/process';
import type { Logger } from 'pino';
import { StackError } from './error.ts';
import type { Instance, Instances } from './instances.ts';
import { startAll } from './start-all.ts';

/**
 * Starts every instance in this process. Without RabbitMQ, the instances share an in-process bus. With `localCalls` the
 * gateways call the services directly instead of over HTTP.
 */
export async function startTogether(
  { services, gateways }: Instances,
  options: {
    inProcessBus: boolean;
    localCalls: boolean;
    loggerOf: (name: string) => Logger;
    resources: AsyncDisposableStack;
  },
): Promise<void> {
  const { localCalls, loggerOf, resources } = options;
  const handlers = new Map<string, LocalHandler>();
  const broker = options.inProcessBus ? createInProcessBroker({ topology }) : undefined;
  resources.defer(async () => broker?.close());
  const start = async ({ name, service, env }: Instance): Promise<Running> => {
    const logger = loggerOf(name);
    try {
      const loaded = await service.load();
      const running = await loaded.startWith(env, {
        logger,
        ...(localCalls && { localHandler: (url: string) => handlers.get(url) }),
        ...(broker && { connectBus: async (name: string) => broker.connect({ name, logger }) }),
      });
      if (running.handle) handlers.set(running.url, running.handle);
      return running;
    } catch (error) {
      if (error instanceof ConfigError) throw new StackError(`${name}: ${error.message}`);
      throw new Error(`${name} could not start`, { cause: error });
    }
  };
  // Resources are closed in reverse order, so gateways are closed before the services that they call.
  await startAll(services, start, resources);
  await startAll(gateways, start, resources);
}
