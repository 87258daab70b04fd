import { topology } from '@storefront/contracts';
import { deployTopology, MessagingError } from '@storefront/messaging';
import { StackError } from './error.ts';

/**
 * Creates the exchange, the queues and the policies on the broker, as `npm run topology` does. Throws a StackError
 * where a step fails.
 */
export async function prepareBroker(
  broker: { readonly url: string; readonly managementUrl?: string | undefined },
  say: (line: string) => void,
): Promise<void> {
  const steps = await deployTopology({ ...broker, topology }).catch((error: unknown) => {
    throw error instanceof MessagingError ? new StackError(error.message) : error;
  });
  const failed = steps.filter(({ was }) => was === 'failed').map(({ what, detail }) => `${what}: ${detail}`);
  if (failed.length > 0) throw new StackError(`RabbitMQ refuses what the services need.\n${failed.join('\n')}`);
  const differing = steps.filter(({ was }) => was === 'differs').length;
  if (differing > 0) say(`Broker: ${differing} queues have other arguments; \`npm run topology\` says which.`);
}
