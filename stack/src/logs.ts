import { createLogger, serviceConfig } from '@storefront/process';
import type { Logger } from 'pino';
import pretty from 'pino-pretty';
import { StackError } from './error.ts';

/**
 * Creates loggers that write to standard error: readable text for people, or one line of JSON per entry for programs.
 * Throws a StackError where `level` is none.
 */
export function createLoggers(level: string, form: 'people' | 'json'): (name: string) => Logger {
  const { options } = serviceConfig.LOG_LEVEL.unwrap();
  if (!options.some((each) => each === level))
    throw new StackError(`LOG_LEVEL must be one of ${options.join(', ')}, not "${level}".`);
  const people =
    form === 'people'
      ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true })
      : undefined;
  return (name) => createLogger(name, level, people);
}
