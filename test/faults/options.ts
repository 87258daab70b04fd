import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const usage = `npm run faults -- [options]

  --operations N   API calls to make (2000)
  --faults N       faults to inject meanwhile (20)
  --seed N         determines the calls and the faults (by default a new one for each run)
  --gateways N     gateways (2)
  --instances N    instances of every service (2)
  --users N        concurrent virtual users (16)
  --cluster        MongoDB as a replica set of three, RabbitMQ as a cluster of three nodes, with additional faults on the
                   primary and on the leader of the queues
  --scenario NAME  one scenario: broker-kill, service-kill, broker-away, database-away, poison, mail-poison,
                   mail-doubt, last-pieces, versions or backup
  --compose NAME   kills each container of the running project NAME of docker compose in turn, under a light load
  --former FOLDER  another checkout, whose dependencies are installed: the former version of the scenario versions
  --full           a scenario at its full size and length
  --short          no fault longer than 8 s, as in npm test
  --events FILE    writes the events that reports are made of to a file, for REPORT_EVENTS_FILE of npm test
  --json           the result as one line of JSON on standard output
  --keep           keeps the data folder with the logs
  --help           this text
`;

const scenarioNames = [
  'broker-kill',
  'service-kill',
  'broker-away',
  'database-away',
  'poison',
  'mail-poison',
  'mail-doubt',
  'last-pieces',
  'versions',
  'backup',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export interface FaultsOptions {
  readonly help: boolean;
  readonly operations: number;
  readonly faults: number;
  readonly seed: number;
  readonly gateways: number;
  readonly instances: number;
  readonly users: number;
  readonly cluster: boolean;
  readonly scenario: ScenarioName | undefined;
  readonly compose: string | undefined;
  readonly former: string | undefined;
  readonly events: string | undefined;
  readonly full: boolean;
  readonly short: boolean;
  readonly json: boolean;
  readonly keep: boolean;
}

/** An option is not valid. The message is for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses the arguments after `npm run faults --`. Throws a UsageError. */
export function readOptions(args: readonly string[], newSeed: () => number): FaultsOptions {
  const { values } = parse(args);
  const scenario = scenarioNames.find((name) => name === values.scenario);
  if (values.scenario !== undefined && scenario === undefined)
    throw new UsageError(`--scenario takes one of ${scenarioNames.join(', ')}, not "${values.scenario}".`);
  if (scenario !== undefined && values.cluster)
    throw new UsageError('--scenario and --cluster do not go together: the scenarios break single servers.');
  if (values.compose !== undefined && (scenario !== undefined || values.cluster))
    throw new UsageError('--compose stands alone: the system that runs has its own servers.');
  if ((scenario === 'versions') !== (values.former !== undefined))
    throw new UsageError('--scenario versions and --former belong together: the folder holds the former version.');
  return {
    help: values.help,
    operations: whole('operations', values.operations, 2000),
    faults: whole('faults', values.faults, 20),
    seed: whole('seed', values.seed, newSeed()),
    gateways: whole('gateways', values.gateways, 2),
    instances: whole('instances', values.instances, 2),
    users: whole('users', values.users, values.compose === undefined ? 16 : 4),
    cluster: values.cluster,
    scenario,
    compose: values.compose,
    former: values.former === undefined ? undefined : resolve(values.former),
    events: values.events === undefined ? undefined : resolve(values.events),
    full: values.full,
    short: values.short,
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
        instances: text,
        users: text,
        scenario: text,
        compose: text,
        former: text,
        events: text,
        cluster: flag,
        full: flag,
        short: flag,
        json: flag,
        keep: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function whole(name: string, text: string | undefined, defaultValue: number): number {
  if (text === undefined) return defaultValue;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} takes a whole number, not "${text}".`);
  return Number(text);
}

/** The command that repeats the run. */
export function commandOf(options: FaultsOptions): string {
  const { operations, faults, seed, gateways, instances, users, cluster, scenario, former, full, short } = options;
  if (options.compose !== undefined)
    return `npm run faults -- --compose ${options.compose} --users ${users} --seed ${seed}`;
  return [
    'npm run faults --',
    ...(scenario ? [`--scenario ${scenario}`] : [`--operations ${operations} --faults ${faults} --users ${users}`]),
    `--seed ${seed} --gateways ${gateways} --instances ${instances}`,
    ...(former ? [`--former ${former}`] : []),
    ...(cluster ? ['--cluster'] : []),
    ...(full ? ['--full'] : []),
    ...(short ? ['--short'] : []),
  ].join(' ');
}
