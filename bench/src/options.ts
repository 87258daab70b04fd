import { parseArgs } from 'node:util';

export const usage = `npm run bench -- [options]

  --only NAME          one measurement, or several separated by commas: requests, revocation, client, growth, mail,
                       discounts, orders, callbacks, analytics, events, one-process, memory, pages, start-up; requests:NAME and one-process:NAME are one workload of them;
                       discounts:NAME is evaluation, many-campaigns, redemption or codes;
                       orders:NAME is separate or one-process;
                       analytics:NAME is intake, queue, arrival or reports
  --seconds N          the duration of each load (default 5)
  --connections N      the number of concurrent clients (default 32)
  --facts N            how many facts analytics:reports has at its large size (default 1000000, at most 10000000)
  --json               the results as JSON on standard output instead of the table
  --help               this text
`;

/** An option is not valid. The message is for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface BenchOptions {
  readonly help: boolean;
  readonly only: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  readonly facts: number;
  readonly json: boolean;
}

/** Parses the arguments after `npm run bench --`. Throws a UsageError. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parse(args);
  return {
    help: values.help,
    only: values.only?.split(',').filter((name) => name !== '') ?? [],
    seconds: positive('seconds', values.seconds),
    connections: positive('connections', values.connections),
    facts: positive('facts', values.facts, 10_000_000),
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
        facts: { type: 'string', default: '1000000' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function positive(name: string, text: string, most = 1000): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new UsageError(`--${name} takes a whole number from 1 to ${most}, not "${text}".`);
  return value;
}
