import type { StoredCollection } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { loadConfig } from './config.ts';
import type { Lookup } from './instances-of.ts';
import type { Starting } from './starting.ts';

/** A running service: where it listens, and how to end it. */
export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** A command as it is sent to MongoDB; the body of one named `find` is such as `{ find: 'customers', filter: { … } }`. */
export interface DatabaseCommand {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What those who run a service give to it: the stack, where services share a process, tests, and `runService`. */
export interface Overrides {
  readonly connectBus?: (name: string, logger: Logger) => Promise<Bus>;
  readonly logger?: Logger;
  readonly now?: () => Date;
  /** In place of the database's time. */
  readonly databaseNow?: () => Date;
  /** In place of the machine's own, for those who spread requests over the addresses of a name. */
  readonly lookup?: Lookup;
  /** Hears of each command that the service sends to its database. Nothing is reported where it is missing. */
  readonly onCommand?: (command: DatabaseCommand) => void;
  /** Of a process that the service has to itself. */
  readonly starting?: Starting;
}

/** All that the stack, the images, the commands, the tests and the reference pages know of a service. */
export interface Service<Schema extends z.ZodObject = z.ZodObject> {
  /** Also the name of its folder, its database and its package. */
  readonly name: string;
  /** One field for each environment variable. */
  readonly config: Schema;
  /** All collections of its database; none where it has no database. */
  readonly collections: readonly StoredCollection[];
  start(config: z.output<Schema>, overrides?: Overrides): Promise<Running>;
  /** As `start`, with the configuration read from environment variables. Throws ConfigError. */
  startWith(env: NodeJS.ProcessEnv, overrides?: Overrides): Promise<Running>;
}

/** Defines a service. `start` opens everything that it needs and serves; a start that fails leaves nothing open. */
export function defineService<Schema extends z.ZodObject>(spec: {
  readonly name: string;
  readonly config: Schema;
  readonly collections?: readonly StoredCollection[];
  readonly start: (config: z.output<Schema>, overrides: Overrides) => Promise<Running>;
}): Service<Schema> {
  const { name, config, collections = [] } = spec;
  const start: Service<Schema>['start'] = (values, overrides = {}) => spec.start(values, overrides);
  return {
    name,
    config,
    collections,
    start,
    startWith: async (env, overrides) => start(loadConfig(config, env), overrides),
  };
}
