import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { ConfigError, loadConfig } from './config.ts';

/** What a system that `npm start` runs tells commands, in the file `running.json` of its data folder. */
export interface RunningSystem {
  /** The process that runs the system. */
  readonly pid: number;
  /** The variables of its services that commands read, such as AMQP_URL. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * The MONGODB_URL of each service, by its name. The path of `all` is the prefix of the names of all databases.
   */
  readonly databases: Readonly<Record<string, string>>;
}

/**
 * Reads the configuration of a command. Variables that are not set come from the system that `npm start` runs on
 * DATA_DIR (`.data` by default). `database` says whose database MONGODB_URL names: a service's, or `all`. Throws a
 * ConfigError, which says so where a required variable is missing and no system runs there.
 */
export function loadCommandConfig<Schema extends z.ZodObject>(
  schema: Schema,
  database?: string,
  env: NodeJS.ProcessEnv = process.env,
): z.output<Schema> {
  const dataDir = env['DATA_DIR'] || '.data';
  const running = readRunning(dataDir);
  const mongodbUrl = database === undefined ? undefined : running?.databases[database];
  const isSet = Object.entries(env).filter(([, value]) => value);
  const all: NodeJS.ProcessEnv = { ...running?.variables, MONGODB_URL: mongodbUrl, ...Object.fromEntries(isSet) };
  try {
    return loadConfig(schema, all);
  } catch (error) {
    const isMissing = Object.entries(schema.shape).some(
      ([name, type]) => !all[name] && !all[`${name}_FILE`] && !(type as z.ZodType).safeParse(undefined).success,
    );
    if (running !== undefined || !isMissing || !(error instanceof ConfigError)) throw error;
    throw new ConfigError(`no running system found in ${dataDir}; set DATA_DIR\n${error.message}`);
  }
}

/** Returns undefined where no system runs. A system that was killed has left its file. */
function readRunning(dataDir: string): RunningSystem | undefined {
  try {
    const running = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as RunningSystem;
    return isAlive(running.pid) ? running : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
