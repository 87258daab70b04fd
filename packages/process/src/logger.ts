import { pino, type Logger } from 'pino';

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

// What waits to be written, as while the disk is full; beyond it lines are dropped.
const maxUnwrittenBytes = 1024 * 1024;

/** A JSON logger for one service; `level` as pino names them. A log that can't be written does not end the process. */
export function createLogger(name: string, level: string, destination?: pino.DestinationStream): Logger {
  return pino(
    {
      name,
      level,
      redact: { paths: [...secrets, ...secrets.map((key) => `*.${key}`), 'req.headers'], remove: true },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? standardError(),
  );
}

function standardError(): pino.DestinationStream {
  const output = pino.destination({ dest: 2, sync: false, maxLength: maxUnwrittenBytes });
  // There is nowhere to report it. The next line tries to write again.
  output.on('error', () => undefined);
  return output;
}
