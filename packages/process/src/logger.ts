import { pino } from 'pino';
import type { Logger } from 'pino';

// Fields with these names are left out of every log line.
const secrets = [
  'password',
  'newPassword',
  'currentPassword',
  'code',
  'sealedCode',
  'accessToken',
  'refreshToken',
  'authorization',
  'cookie',
];

/** A JSON logger for one service; `level` as pino names them. */
export function createLogger(name: string, level: string, destination?: pino.DestinationStream): Logger {
  return pino(
    {
      name,
      level,
      redact: { paths: [...secrets, ...secrets.map((key) => `*.${key}`), 'req.headers'], remove: true },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? pino.destination({ dest: 2, sync: false }),
  );
}
