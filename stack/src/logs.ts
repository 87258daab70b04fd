import { createLogger } from '@storefront/service-kit';
import type { Logger } from 'pino';
import pretty from 'pino-pretty';

/** Loggers that write to standard error: for people, or a line of JSON each for programs. */
export function createLoggers(level: string, form: 'people' | 'json'): (name: string) => Logger {
  const people =
    form === 'people'
      ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname,time', singleLine: true })
      : undefined;
  return (name) => createLogger(name, level, people);
}
