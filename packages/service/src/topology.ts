// `npm run topology`, and the first step of a deployment: puts the exchange, the queues and the policies onto the broker.
import { topology } from '@storefront/contracts';
import { deployTopology } from '@storefront/messaging';
import type { TopologyStep } from '@storefront/messaging';
import { loadConfig, readCommandLine } from '@storefront/process';
import { topologyConfig } from './topology-config.ts';

const usage = `Puts onto RabbitMQ what the services need: the exchange, all queues, and the policies with their limits.
To be run before the services of a new version start; doing it again changes nothing. Requires AMQP_URL;
RABBITMQ_MANAGEMENT_URL for the policies. Exits with 1 where a step failed.

  --remove-former     also deletes the empty delay queues of the version before this one; only for when none of its
                      instances runs any more
`;

const { values } = readCommandLine(usage, { 'remove-former': { type: 'boolean', default: false } });

try {
  const config = loadConfig(topologyConfig, process.env);
  const steps = await deployTopology({
    url: config.AMQP_URL,
    managementUrl: config.RABBITMQ_MANAGEMENT_URL,
    topology,
    former: values['remove-former'] ? 'remove' : 'name',
  });
  for (const step of steps) process.stdout.write(line(step));
  if (steps.some(({ was }) => was === 'failed')) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function line({ was, what, detail }: TopologyStep): string {
  return `${was.padEnd(8)} ${what}${detail === undefined ? '' : `: ${detail}`}\n`;
}
