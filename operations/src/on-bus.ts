import { topology } from '@storefront/contracts';
import { connectRabbitmq, type Bus } from '@storefront/messaging';
import { createLogger } from '@storefront/process';

/** Does `work` on a connection to RabbitMQ of its own, and closes it. */
export async function onBus<Result>(url: string, work: (bus: Bus) => Promise<Result>): Promise<Result> {
  const bus = await connectRabbitmq({ url, topology, logger: createLogger('operations', 'error'), name: 'operator' });
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}
