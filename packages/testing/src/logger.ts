import { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';

/** A logger of the lowest level that keeps its lines, for tests that check what is logged. */
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
