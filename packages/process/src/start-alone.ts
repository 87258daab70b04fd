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
 * Starts a service by the environment, with its probes served meanwhile; `signal` ends its waiting for other servers. Throws
 * an Error whose message says to an operator what is wrong, with the service's name.
 */
export async function startAlone<Schema extends z.ZodObject>(
  service: Service<Schema>,
  signal: AbortSignal,
): Promise<Started> {
  const { name } = service;
  const config = readConfig(service);
  // Every service has these variables; a schema of any service is not known to.
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

/** The in-process bus is for services that share a process: one that runs alone needs the broker's address. */
function withBrokerRequired<Schema extends z.ZodObject>(schema: Schema): Schema {
  if (!('AMQP_URL' in schema.shape)) return schema;
  return schema.safeExtend({ AMQP_URL: configTypes.amqpUrl.describe('RabbitMQ.') }) as unknown as Schema;
}
