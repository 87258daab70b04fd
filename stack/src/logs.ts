import { createLogger, serviceConfig } from '@storefront/process';
import type { Logger } from 'pino';
import pretty, { type PrettyOptions } from 'pino-pretty';
import { StackError } from './error.ts';

/**
 * Creates loggers that write to standard error: readable text for people, or one line of JSON per entry for programs.
 * Throws a StackError where `level` is none.
 */
export function createLoggers(level: string, form: 'people' | 'json'): (name: string) => Logger {
  const { options } = serviceConfig.LOG_LEVEL.unwrap();
  if (!options.some((each) => each === level))
    throw new StackError(`LOG_LEVEL must be one of ${options.join(', ')}, not "${level}".`);
  const people = form === 'people' ? pretty({ ...forPeople, destination: 2, sync: true }) : undefined;
  return (name) => createLogger(name, level, people);
}

const forPeople: PrettyOptions = {
  ignore: 'pid,hostname',
  translateTime: 'SYS:HH:MM:ss',
  singleLine: true,
  customPrettifiers: {
    // A warning is about something that was expected, such as a server that does not answer yet. A stack says nothing more.
    err: (error, _key, log) =>
      'level' in log && log.level === 'warn' ? messageOf(error) : JSON.stringify(error, null, 2),
  },
};

const messageOf = (error: object | string) =>
  typeof error === 'object' && 'message' in error ? String(error.message) : JSON.stringify(error);
