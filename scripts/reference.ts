import { glob, readFile } from 'node:fs/promises';
import * as contracts from '@storefront/contracts';
import {
  errorsOf,
  operations,
  staffInWords,
  statusOf,
  type EventContract,
  type OperationSpec,
  type StoredCollection,
} from '@storefront/contracts';
import {
  backupConfig,
  erasedConfig,
  restoreConfig,
  shardConfig,
  topologyConfig,
  usersConfig,
} from '@storefront/operations';
import { describeConfig, type Service } from '@storefront/process';
import { gateway, services } from '@storefront/stack';
import { z } from 'zod';
import { clientFiles } from './client.ts';

/** The gateway and every service of the system. */
export const allServices: readonly Service[] = await Promise.all([gateway, ...services].map((one) => one.load()));

/** Every file that is made from the code, wholly or in parts: path → text. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    'docs/reference/configuration.md': configurationPage(),
    'docs/reference/events.md': eventsPage(),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/collections.md': collectionsPage(),
    'operations/src/sharded-collections.ts': shardedCollections(),
    ...clientFiles(),
    ...(await readmes()),
  };
}

const made = 'Generated from the code by `npm run docs`; a test keeps it true.';
const row = (...cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
const code = (text: string) => `\`${text}\``;

function configurationTable({ config }: Pick<Service, 'config'>): string {
  const rows = describeConfig(config).map((field) => [
    code(field.name),
    field.required ? 'required' : field.default === null ? '' : code(field.default),
    field.description,
  ]);
  return table(['variable', 'default', 'what it says'], rows);
}

const commandConfigs = {
  topology: topologyConfig,
  users: usersConfig,
  shard: shardConfig,
  backup: backupConfig,
  erased: erasedConfig,
  restore: restoreConfig,
};

function configurationPage(): string {
  return [
    '# Configuration',
    '',
    'Environment variables of each service when it runs alone. `NAME_FILE` may name a file that holds the value, as container',
    `secrets do. A service stops at once on a wrong configuration and names every wrong variable. ${made}`,
    '',
    ...allServices.flatMap((service) => [`## ${service.name}`, '', configurationTable(service), '']),
    ...Object.entries(commandConfigs).flatMap(([name, config]) => [
      `## npm run ${name}`,
      '',
      configurationTable({ config }),
      '',
    ]),
  ].join('\n');
}

function eventsPage(): string {
  const consumers = (type: string) =>
    contracts.topology.filter(({ types }) => types.includes(type)).map(({ queue }) => code(queue));
  const rows = allEvents()
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map((event) => [code(event.type), event.description, fieldsOf(event), consumers(event.type).join(', ')]);
  return [
    '# Events',
    '',
    'Facts on the topic exchange `storefront.events`; the routing key is the type. The envelope is CloudEvents 1.0 in JSON:',
    '`id`, `source`, `type`, `subject` (the id of what changed), `sequence` (its version after the change), `time`,',
    `\`dataschema\`, \`correlationid\` (the request's id), \`traceparent\`, \`data\`. Data only ever gains optional fields. ${made}`,
    '',
    table(['event', 'published when', 'data', 'queues'], rows),
    '',
  ].join('\n');
}

function allEvents(): EventContract[] {
  const found = new Map<string, EventContract>();
  const look = (value: unknown): void => {
    if (value === null || typeof value !== 'object' || value instanceof z.ZodType) return;
    if ('type' in value && 'data' in value && 'source' in value) found.set(String(value.type), value as EventContract);
    else for (const inner of Object.values(value)) look(inner);
  };
  for (const [name, area] of Object.entries(contracts)) if (name.endsWith('Events')) look(area);
  return [...found.values()];
}

function fieldsOf(event: EventContract): string {
  const { properties = {}, required = [] } = z.toJSONSchema(event.data, { unrepresentable: 'any', io: 'input' }) as {
    properties?: object;
    required?: string[];
  };
  return Object.keys(properties)
    .map((name) => code(`${name}${required.includes(name) ? '' : '?'}`))
    .join(', ');
}

function errorsPage(): string {
  const answering = new Map<string, { status: number; services: Set<string> }>();
  for (const [service, specs] of Object.entries(operations)) {
    for (const error of Object.values(specs).flatMap(errorsOf)) {
      const known = answering.get(error.code) ?? { status: statusOf[error.kind], services: new Set<string>() };
      known.services.add(service);
      answering.set(error.code, known);
    }
  }
  const everywhere = Object.keys(operations).length - 1;
  const rows = [...answering]
    .toSorted(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
    .map(([name, { status, services: from }]) => [
      String(status),
      code(name),
      from.size >= everywhere ? 'all' : [...from].toSorted().join(', '),
    ]);
  return [
    '# Errors',
    '',
    'Every refusal is `application/problem+json` (RFC 9457). `code` is stable and for programs; `detail` is for people. On',
    '`validation_failed`, `errors` names every wrong field by a JSON pointer (RFC 6901). A path that does not exist is 404',
    '`route_not_found`, a method that a path does not have 405 `method_not_allowed` with `Allow`. Which operation can answer',
    `which error stands in \`/openapi.json\`. ${made}`,
    '',
    table(['status', 'code', 'operations of'], rows),
    '',
  ].join('\n');
}

const inOrder = ({ collections }: Pick<Service, 'collections'>) =>
  collections.toSorted((a, b) => (a.name < b.name ? -1 : 1));

function collectionsPage(): string {
  const keyOf = ({ sharding }: StoredCollection) =>
    'key' in sharding ? code(JSON.stringify(sharding.key)) : `none: ${sharding.unsharded}`;
  const openOf = ({ sharding }: StoredCollection) =>
    'key' in sharding
      ? (sharding.acrossShards ?? [])
          .map(({ by, because }) => `${by.length > 0 ? by.map(code).join(', ') : 'nothing'}: ${because}`)
          .join('; ')
      : '';
  return [
    '# Collections',
    '',
    'Each service has a database of its own. On a sharded cluster `npm run shard` spreads its collections by these keys; one',
    'without a key stays on one shard. The last column has the queries that ask all shards, by the fields that they name: any other',
    `query that leaves the key open fails the tests of its service. ${made}`,
    '',
    ...allServices
      .filter(({ collections }) => collections.length > 0)
      .flatMap((service) => {
        const rows = inOrder(service).map((each) => [code(each.name), keyOf(each), openOf(each)]);
        return [`## ${service.name}`, '', table(['collection', 'shard key', 'asks all shards by'], rows), ''];
      }),
  ].join('\n');
}

/** For `operations`, which knows no service. */
function shardedCollections(): string {
  const entries = allServices.flatMap((service) =>
    inOrder(service).flatMap(({ name, sharding }) => {
      if ('unsharded' in sharding) return [];
      const key = Object.entries(sharding.key).map(([field, kind]) => `${field}: ${kind === 1 ? '1' : `'${kind}'`}`);
      return [`  { service: '${service.name}', collection: '${name}', key: { ${key.join(', ')} } },`];
    }),
  );
  return [
    `// ${made}`,
    "import type { ShardedCollection } from './shard-steps.ts';",
    '',
    '/** Every collection of the system that a cluster spreads over its shards. */',
    'export const shardedCollections: readonly ShardedCollection[] = [',
    ...entries,
    '];',
    '',
  ].join('\n');
}

/** The READMEs of services, with what stands between their marks made from the code. */
async function readmes(): Promise<Record<string, string>> {
  const filled: Record<string, string> = {};
  for await (const file of glob('{gateway,services/*}/README.md')) {
    const name = file.split('/').at(-2) ?? '';
    const service = allServices.find((one) => one.name === name);
    if (service === undefined) continue;
    const specs: Readonly<Record<string, OperationSpec>> | undefined = Object.entries(operations).find(
      ([key]) => key === name,
    )?.[1];
    const text = await readFile(file, 'utf8');
    const withRoutes = specs ? between(file, text, 'routes', routesTable(Object.values(specs))) : text;
    const withColumns = name === 'catalog' ? between(file, withRoutes, 'columns', columnsTable()) : withRoutes;
    filled[file] = between(file, withColumns, 'configuration', configurationTable(service));
  }
  return filled;
}

const who = {
  public: 'everybody',
  user: 'users',
  trade: 'trade accounts',
  staff: 'staff',
  admin: 'administrators',
  system: 'the gateway',
} as const;

function whoMay(spec: OperationSpec): string {
  const staff = staffInWords(spec);
  if (spec.access === 'staff' && staff) return staff;
  return spec.roles && staff ? `${who[spec.access]}; more for ${staff}` : who[spec.access];
}

function routesTable(specs: readonly OperationSpec[]): string {
  const rows = specs.map((spec) => [
    code(`${spec.method} ${spec.path}`),
    whoMay(spec),
    spec.summary,
    [
      Object.keys(spec.responses).join(', '),
      ...(spec.errors ?? []).map((error) => `${statusOf[error.kind]} ${code(error.code)}`),
    ].join('; '),
  ]);
  return table(['operation', 'who', 'does', 'answers'], rows);
}

function columnsTable(): string {
  const rows = contracts.catalogHttp.productColumns.map(({ name, holds }) => [code(name), holds]);
  return table(['column', 'holds'], rows);
}

/** Puts the content between `<!-- name -->` and `<!-- /name -->`. Throws where the text has no such marks. */
function between(file: string, text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for ${name}: ${begin} … ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}
