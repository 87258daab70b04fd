import { configTypes } from '@storefront/process';
import { z } from 'zod';

const mongodbUrl = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\/[^/]+(\/[A-Za-z0-9_-]*)?(\?.*)?$/, { error: 'must be a mongodb:// address' })
  .describe(
    'MongoDB with the databases of all services. A name in its path stands before the name of each database: `/shop_` for ' +
      '`shop_identity`.',
  );

/** The variables of `npm run backup`. */
export const backupConfig = z.object({
  MONGODB_URL: mongodbUrl,
  ALLOW_CLEARTEXT: configTypes.allowCleartext,
  AMQP_URL: configTypes.amqpUrl
    .optional()
    .describe('RabbitMQ. Without it there are no dead letters in the backup, and nobody looks for events that wait.'),
});

/** The variables of `npm run erased`. */
export const erasedConfig = z.object({ MONGODB_URL: mongodbUrl });

/** The variables of `npm run restore`. */
export const restoreConfig = z.object({
  MONGODB_URL: mongodbUrl,
  ALLOW_CLEARTEXT: configTypes.allowCleartext,
  AMQP_URL: configTypes.amqpUrl.describe('RabbitMQ.'),
  RABBITMQ_MANAGEMENT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('As for `npm run topology`, which is part of restoring.'),
});
