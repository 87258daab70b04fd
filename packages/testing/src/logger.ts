import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Logger } from 'pino';

/** A logger that keeps its lines, at the lowest level: for tests that read what was, or must not be, logged. */
export function memoryLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { logger: pino({ level: 'trace' }, destination), lines };
}
