import closeWithGrace from 'close-with-grace';
import type { z } from 'zod';
import { ConfigError, configTypes, loadConfig } from './config.ts';
import { createLogger } from './logger.ts';

/** A service that runs: where it listens, and how to end it. */
export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Runs a service as a process of its own: reads the environment, starts, and closes on SIGTERM or SIGINT with exit code 0.
 * A wrong configuration ends it at once, naming every wrong variable.
 */
export async function runService<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  start: (config: z.output<Schema>) => Promise<Running>,
): Promise<void> {
  let config: z.output<Schema>;
  try {
    config = loadConfig(alone(schema), process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(1);
  }
  const logger = createLogger(name, (config as { LOG_LEVEL?: string }).LOG_LEVEL ?? 'info');
  let running: Running;
  try {
    running = await start(config);
  } catch (error) {
    logger.fatal({ err: error }, 'could not start');
    process.stderr.write(`${name} could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
  logger.info({ url: running.url }, 'listening');
  // Within ten seconds or not at all: an orchestrator kills what takes longer.
  closeWithGrace({ delay: 9500, logger }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'closing after an error');
    await running.close();
    logger.info('closed');
  });
  // Told by a parent process, such as the stack with its services apart: gone without a signal.
  if (process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel.unref();
    process.send?.({ url: running.url });
  }
}

/** A process of its own has nobody to share a bus with: there the broker's address is required like the others. */
function alone<Schema extends z.ZodObject>(schema: Schema): Schema {
  if (!('AMQP_URL' in schema.shape)) return schema;
  return schema.safeExtend({ AMQP_URL: configTypes.amqpUrl.describe('RabbitMQ.') }) as unknown as Schema;
}
