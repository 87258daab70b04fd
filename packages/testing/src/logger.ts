import { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';

/** Creates a logger that keeps all lines of every level in memory, for tests that check the log. */
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
