import { topology } from '@storefront/contracts';
import { connectRabbitmq, type Bus } from '@storefront/messaging';
import { createLogger } from '@storefront/process';

/** Opens a separate connection to RabbitMQ for `work`, and closes it afterwards. */
export async function onBus<Result>(url: string, work: (bus: Bus) => Promise<Result>): Promise<Result> {
  const bus = await connectRabbitmq({ url, topology, logger: createLogger('operations', 'error'), name: 'operator' });
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}
