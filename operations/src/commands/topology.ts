// The first step of a deployment: creates the exchange, the queues and the policies on the broker.
import { topology as wanted } from '@storefront/contracts';
import { deployTopology } from '@storefront/messaging';
import { loadCommandConfig, readCommandLine } from '@storefront/process';
import type { Command } from '../command.ts';
import { reportSteps } from '../steps.ts';
import { topologyConfig } from '../config.ts';

const usage = `Puts onto RabbitMQ what the services need: the exchange, all queues, and the policies with their limits.
To be run before the services of a new version start; doing it again changes nothing. Requires AMQP_URL, beside
npm start not; RABBITMQ_MANAGEMENT_URL for the policies. Exits with 1 where a step failed.
`;

export const topology: Command = {
  summary: 'puts the exchange, all queues and the policies onto RabbitMQ',
  async run(args) {
    readCommandLine(usage, {}, args);
    const config = loadCommandConfig(topologyConfig);
    const steps = await deployTopology({
      url: config.AMQP_URL,
      managementUrl: config.RABBITMQ_MANAGEMENT_URL,
      topology: wanted,
    });
    reportSteps(steps);
  },
};
