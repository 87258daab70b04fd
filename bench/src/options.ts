import { parseArgs } from 'node:util';

export const usage = `npm run bench -- [options]

  --only NAME          one measure, or several after commas: requests, revocation, growth, mail, events, one-process,
                       memory, start-up; requests:NAME and one-process:NAME are one row of them
  --seconds N          how long each load lasts (default 5)
  --connections N      how many clients ask at once (default 32)
  --json               the results as JSON on standard output instead of the table
  --help               this text
`;

/** The command line can't be understood; the message is a sentence for whoever wrote it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Options {
  readonly help: boolean;
  readonly only: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  readonly json: boolean;
}

/** Reads what follows `npm run bench --`; throws a UsageError. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  return {
    help: values.help,
    only: values.only?.split(',').filter((name) => name !== '') ?? [],
    seconds: positive('seconds', values.seconds),
    connections: positive('connections', values.connections),
    json: values.json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        seconds: { type: 'string', default: '5' },
        connections: { type: 'string', default: '32' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1000)
    throw new UsageError(`--${name} takes a whole number from 1 to 1000, not "${text}".`);
  return value;
}
