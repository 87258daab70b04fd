import { topology } from '@storefront/contracts';
import { createInProcessBroker } from '@storefront/messaging';
import { ConfigError } from '@storefront/service-kit';
import type { Running } from '@storefront/service-kit';
import type { Logger } from 'pino';
import type { Closers } from './closers.ts';
import { StackError } from './error.ts';
import type { Part, Plan } from './plan.ts';

/** Starts every part in this process. Where there is no broker's address they share a bus inside it. */
export async function startTogether(
  plan: Plan,
  options: { inProcessBus: boolean; loggerOf: (name: string) => Logger; closers: Closers },
): Promise<void> {
  const { loggerOf, closers } = options;
  const broker = options.inProcessBus ? createInProcessBroker({ topology }) : undefined;
  closers.add(async () => broker?.close());
  const start = async (part: Part): Promise<Running> => {
    const logger = loggerOf(part.name);
    try {
      return await part.service.start(part.env, {
        logger,
        ...(broker && { connectBus: async (name: string) => broker.connect({ name, logger }) }),
      });
    } catch (error) {
      if (error instanceof ConfigError) throw new StackError(`${part.name}: ${error.message}`);
      throw new Error(`${part.name} could not start`, { cause: error });
    }
  };
  const startAll = async (parts: readonly Part[]): Promise<void> => {
    const running: Running[] = [];
    closers.add(() => Promise.all(running.map((part) => part.close())));
    const started = await Promise.allSettled(parts.map(async (part) => running.push(await start(part))));
    const failed = started.find((part) => part.status === 'rejected');
    if (failed) throw failed.reason;
  };
  // Two groups, so that the gateways are closed before the services that they ask.
  await startAll(plan.services);
  await startAll(plan.gateways);
}
