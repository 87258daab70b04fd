import type { Logger } from 'pino';
import type { z } from 'zod';
import { configTypes, ConfigError, loadConfig } from './config.ts';
import type { Running, Service } from './define-service.ts';
import { createLogger } from './logger.ts';
import { serveWhileStarting } from './starting.ts';

export interface Started extends Running {
  readonly logger: Logger;
}

/**
 * Starts a service with the configuration of the environment, and serves its probes meanwhile. `signal` ends the
 * waiting for other servers. Throws an Error whose message tells an operator the service's name and what is wrong.
 */
export async function startAlone<Schema extends z.ZodObject>(
  service: Service<Schema>,
  signal: AbortSignal,
): Promise<Started> {
  const { name } = service;
  const config = readConfig(service);
  // Every service has these variables, but the type of any service's schema does not show that.
  const { LOG_LEVEL, HOST, PORT } = config as { LOG_LEVEL?: string; HOST?: string; PORT?: number };
  const logger = createLogger(name, LOG_LEVEL ?? 'info');
  try {
    await using starting = serveWhileStarting({ host: HOST ?? '127.0.0.1', port: PORT ?? 0, signal });
    const running = await service.start(config, { logger, starting });
    return { ...running, logger };
  } catch (error) {
    if (!signal.aborted) logger.fatal({ err: error }, 'could not start');
    throw new Error(`${name} could not start: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function readConfig<Schema extends z.ZodObject>({ name, config }: Service<Schema>): z.output<Schema> {
  try {
    return loadConfig(withBrokerRequired(config), process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${name}: ${error.message}`);
  }
}

/**
 * Makes AMQP_URL required: the in-process bus works only for services that share a process, so a service alone needs a
 * broker.
 */
function withBrokerRequired<Schema extends z.ZodObject>(schema: Schema): Schema {
  if (!('AMQP_URL' in schema.shape)) return schema;
  return schema.safeExtend({ AMQP_URL: configTypes.amqpUrl.describe('RabbitMQ.') }) as unknown as Schema;
}
