import { createLogger } from '@storefront/process';
import type { Logger } from 'pino';
import pretty from 'pino-pretty';

/**
 * Creates loggers that write to standard error: readable text for people, or one line of JSON per entry for programs.
 */
export function createLoggers(level: string, form: 'people' | 'json'): (name: string) => Logger {
  const people =
    form === 'people'
      ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname,time', singleLine: true })
      : undefined;
  return (name) => createLogger(name, level, people);
}
