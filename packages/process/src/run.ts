import closeWithGrace from 'close-with-grace';
import type { z } from 'zod';
import { ConfigError, configTypes, loadConfig } from './config.ts';
import type { Running, Service } from './define-service.ts';
import { createLogger } from './logger.ts';

/**
 * Runs a service as a process of its own: reads the environment, starts, closes on SIGTERM or SIGINT with exit code 0.
 * A wrong configuration ends it at once, naming every wrong variable.
 */
export async function runService<Schema extends z.ZodObject>(service: Service<Schema>): Promise<void> {
  const { name } = service;
  let config: z.output<Schema>;
  try {
    config = loadConfig(withBrokerRequired(service.config), process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(1);
  }
  const logger = createLogger(name, (config as { LOG_LEVEL?: string }).LOG_LEVEL ?? 'info');
  let running: Running;
  try {
    running = await service.start(config);
  } catch (error) {
    logger.fatal({ err: error }, 'could not start');
    process.stderr.write(`${name} could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
  logger.info({ url: running.url }, 'listening');
  // In less than ten seconds: an orchestrator kills a process that takes longer.
  closeWithGrace({ delay: 9500, logger }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'closing after an error');
    await running.close();
    logger.info('closed');
  });
  // The parent process, such as the stack with separate services, has ended without sending a signal.
  if (process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel.unref();
    process.send?.({ url: running.url });
  }
}

/** The in-process bus is for services that share a process: one that runs alone needs the broker's address. */
function withBrokerRequired<Schema extends z.ZodObject>(schema: Schema): Schema {
  if (!('AMQP_URL' in schema.shape)) return schema;
  return schema.safeExtend({ AMQP_URL: configTypes.amqpUrl.describe('RabbitMQ.') }) as unknown as Schema;
}
