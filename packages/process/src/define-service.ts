import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { loadConfig } from './config.ts';
import type { Starting } from './starting.ts';

/** A running service: where it listens, and how to end it. */
export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** What those who run a service give to it: the stack, where services share a process, tests, and `runService`. */
export interface Overrides {
  readonly connectBus?: (name: string, logger: Logger) => Promise<Bus>;
  readonly logger?: Logger;
  readonly now?: () => Date;
  /** In place of the database's time. */
  readonly databaseNow?: () => Date;
  /** Of a process that the service has to itself. */
  readonly starting?: Starting;
}

/** All that the stack, the images, the commands, the tests and the reference pages know of a service. */
export interface Service<Schema extends z.ZodObject = z.ZodObject> {
  /** Also the name of its folder, its database and its package. */
  readonly name: string;
  /** One field for each environment variable. */
  readonly config: Schema;
  start(config: z.output<Schema>, overrides?: Overrides): Promise<Running>;
  /** As `start`, with the configuration read from environment variables. Throws ConfigError. */
  startWith(env: NodeJS.ProcessEnv, overrides?: Overrides): Promise<Running>;
}

/** Defines a service. `start` opens everything that it needs and serves; a start that fails leaves nothing open. */
export function defineService<Schema extends z.ZodObject>(spec: {
  readonly name: string;
  readonly config: Schema;
  readonly start: (config: z.output<Schema>, overrides: Overrides) => Promise<Running>;
}): Service<Schema> {
  const { name, config } = spec;
  const start: Service<Schema>['start'] = (values, overrides = {}) => spec.start(values, overrides);
  return { name, config, start, startWith: async (env, overrides) => start(loadConfig(config, env), overrides) };
}
