import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StoredCollection } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { loadConfig } from './config.ts';
import type { Lookup } from './instances-of.ts';
import type { Starting } from './starting.ts';

/** Handles a request as if it had arrived over HTTP. */
export type LocalHandler = (request: IncomingMessage, answer: ServerResponse) => void;

/** A running service: its address, and a function that ends it. */
export interface Running {
  readonly url: string;
  /** For a gateway in the same process. */
  readonly handle?: LocalHandler;
  close(): Promise<void>;
}

/**
 * A command that is sent to MongoDB. The body of a `find` command, for example, is `{ find: 'customers', filter: { … }
 * }`.
 */
export interface DatabaseCommand {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Options that the code which starts a service may pass: tests, `runService`, or the stack, where services share a
 * process.
 */
export interface Overrides {
  readonly connectBus?: (name: string, logger: Logger) => Promise<Bus>;
  readonly logger?: Logger;
  readonly now?: () => Date;
  /** Replaces the database's time. */
  readonly databaseNow?: () => Date;
  /** Replaces the machine's own name look-up, for services that spread requests over all addresses of a name. */
  readonly lookup?: Lookup;
  /** Returns the handler of a service that runs in this process at this address. The gateway calls it without HTTP. */
  readonly localHandler?: (url: string) => LocalHandler | undefined;
  /** Called for each command that the service sends to its database. */
  readonly onCommand?: (command: DatabaseCommand) => void;
  /** Given only in a process that runs a single service. */
  readonly starting?: Starting;
}

/** All that the stack, the images, the commands, the tests and the reference pages know about a service. */
export interface Service<Schema extends z.ZodObject = z.ZodObject> {
  /** The service's name, which is also the name of its folder, its database and its package. */
  readonly name: string;
  /** One field for each environment variable. */
  readonly config: Schema;
  /** All collections of the service's database; empty if it has no database. */
  readonly collections: readonly StoredCollection[];
  start(config: z.output<Schema>, overrides?: Overrides): Promise<Running>;
  /** Like `start`, with the configuration read from environment variables. Throws ConfigError. */
  startWith(env: NodeJS.ProcessEnv, overrides?: Overrides): Promise<Running>;
}

/**
 * Defines a service. `start` opens everything that the service needs, and serves it. If `start` fails, it must leave
 * nothing open.
 */
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
