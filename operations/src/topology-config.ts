import { configTypes } from '@storefront/process';
import { z } from 'zod';

/** The variables of `npm run topology`. */
export const topologyConfig = z.object({
  AMQP_URL: configTypes.amqpUrl.describe('RabbitMQ.'),
  ALLOW_CLEARTEXT: configTypes.allowCleartext,
  RABBITMQ_MANAGEMENT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "RabbitMQ's management interface, which sets policies. Without user and password it takes those of `AMQP_URL`.",
    ),
});
