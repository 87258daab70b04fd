import { parseArgs } from 'node:util';

export const usage = `npm run faults -- [options]

  --operations N   API calls to make (2000)
  --faults N       what is broken meanwhile (20)
  --seed N         makes the run: the calls and the faults (a new one each time)
  --gateways N     gateways side by side (2)
  --users N        virtual users at once (16)
  --cluster        MongoDB as a replica set of three, RabbitMQ as a cluster of three nodes; their primary and the leader
                   of queues are struck on purpose
  --scenario NAME  instead of the mix: broker-kill, service-kill, broker-away, database-away or poison
  --full           a scenario at its full size and length
  --json           the result as one line of JSON on standard output
  --keep           leaves the data folder, with the logs, where it is
  --help           this text
`;

const scenarioNames = ['broker-kill', 'service-kill', 'broker-away', 'database-away', 'poison'] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export interface Options {
  readonly help: boolean;
  readonly operations: number;
  readonly faults: number;
  readonly seed: number;
  readonly gateways: number;
  readonly users: number;
  readonly cluster: boolean;
  readonly scenario: ScenarioName | undefined;
  readonly full: boolean;
  readonly json: boolean;
  readonly keep: boolean;
}

/** The command line can't be understood; the message says what of it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function readOptions(args: readonly string[], newSeed: () => number): Options {
  const { values } = parse(args);
  const scenario = scenarioNames.find((name) => name === values.scenario);
  if (values.scenario !== undefined && scenario === undefined)
    throw new UsageError(`--scenario takes one of ${scenarioNames.join(', ')}, not "${values.scenario}".`);
  if (scenario !== undefined && values.cluster)
    throw new UsageError('--scenario and --cluster do not go together: the scenarios break single servers.');
  return {
    help: values.help,
    operations: whole('operations', values.operations, 2000),
    faults: whole('faults', values.faults, 20),
    seed: whole('seed', values.seed, newSeed()),
    gateways: whole('gateways', values.gateways, 2),
    users: whole('users', values.users, 16),
    cluster: values.cluster,
    scenario,
    full: values.full,
    json: values.json,
    keep: values.keep,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        operations: text,
        faults: text,
        seed: text,
        gateways: text,
        users: text,
        scenario: text,
        cluster: flag,
        full: flag,
        json: flag,
        keep: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function whole(name: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(given)) throw new UsageError(`--${name} takes a whole number, not "${given}".`);
  return Number(given);
}

/** The command that makes the same run again. */
export function commandOf(options: Options): string {
  const { operations, faults, seed, gateways, users, cluster, scenario, full } = options;
  return [
    'npm run faults --',
    ...(scenario ? [`--scenario ${scenario}`] : [`--operations ${operations} --faults ${faults} --users ${users}`]),
    `--seed ${seed} --gateways ${gateways}`,
    ...(cluster ? ['--cluster'] : []),
    ...(full ? ['--full'] : []),
  ].join(' ');
}
