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

// How many bytes of log lines may wait to be written, for example while the disk is full. Further lines are dropped.
const maxUnwrittenBytes = 1024 * 1024;

/**
 * Creates a JSON logger for one service. `level` is one of pino's names. A log that can't be written does not end the
 * process.
 */
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
  // There is no place to report this error. The next line tries to write again.
  output.on('error', () => undefined);
  return output;
}
