import { glob, readFile } from 'node:fs/promises';
import * as contracts from '@storefront/contracts';
import type { EventContract } from '@storefront/contracts';
import { describeConfig } from '@storefront/service-kit';
import { z } from 'zod';
import { configSchema as account } from '@storefront/account/config';
import { configSchema as catalog } from '@storefront/catalog/config';
import { configSchema as engagement } from '@storefront/engagement/config';
import { configSchema as gateway } from '@storefront/gateway/config';
import { configSchema as health } from '@storefront/health/config';
import { configSchema as identity } from '@storefront/identity/config';

/** What each service must be told, by its name. */
export const configurations = { gateway, identity, account, catalog, engagement, health };

/** The pages of `docs/reference/`, each made from the code that it tells of: file name → text. */
export async function referencePages(): Promise<Record<string, string>> {
  return { 'configuration.md': configurationPage(), 'events.md': eventsPage(), 'errors.md': await errorsPage() };
}

const made = 'Made from the code by `npm run docs`; a test keeps it true.';
const row = (...cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function configurationPage(): string {
  const sections = Object.entries(configurations).map(([name, schema]) => {
    const rows = describeConfig(schema).map((field) =>
      row(
        `\`${field.name}\``,
        field.required ? 'required' : field.default === null ? '' : `\`${field.default}\``,
        field.description,
      ),
    );
    return [`## ${name}`, '', row('variable', 'default', 'what it says'), row('---', '---', '---'), ...rows, ''].join(
      '\n',
    );
  });
  return [
    '# Configuration',
    '',
    `Environment variables of each service when it runs alone. \`NAME_FILE\` may name a file that holds the value, as container`,
    `secrets do. A service stops at once on a wrong configuration and names every wrong variable. ${made}`,
    '',
    ...sections,
  ].join('\n');
}

function eventsPage(): string {
  const events = allEvents().toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const consumers = (type: string) =>
    contracts.topology
      .filter((binding) => (binding.types as readonly string[]).includes(type))
      .map((binding) => `\`${binding.queue}\``);
  const rows = events.map((event) =>
    row(`\`${event.type}\``, event.description, fieldsOf(event), consumers(event.type).join(', ')),
  );
  return [
    '# Events',
    '',
    `Facts on the topic exchange \`storefront.events\`; the routing key is the type. The envelope is CloudEvents 1.0 in JSON:`,
    '`id`, `source`, `type`, `subject` (the id of what changed), `sequence` (its version after the change), `time`,',
    `\`dataschema\`, \`correlationid\` (the request's id), \`traceparent\`, \`data\`. Data only ever gains optional fields. ${made}`,
    '',
    row('event', 'told when', 'data', 'queues'),
    row('---', '---', '---', '---'),
    ...rows,
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
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
    .join(', ');
}

// The codes stand where they are thrown; this page collects them.
const thrown =
  /new Problem\(\s*(\d{3}),\s*'([a-z_]+)'|\b(tooMany|unavailable)\(\s*'([a-z_]+)'|^ {2}(4\d\d): \['([a-z_]+)'/gm;
const statusOf = { tooMany: '429', unavailable: '503' } as const;

async function errorsPage(): Promise<string> {
  const codes = new Map<string, { status: string; places: Set<string> }>();
  for await (const file of glob('{gateway,services/*,packages/service-kit}/src/**/*.ts')) {
    if (file.endsWith('.test.ts')) continue;
    for (const match of (await readFile(file, 'utf8')).matchAll(thrown)) {
      const code = match[2] ?? match[4] ?? match[6] ?? '';
      const status = match[1] ?? match[5] ?? statusOf[match[3] as keyof typeof statusOf];
      const known = codes.get(code) ?? { status, places: new Set<string>() };
      known.places.add(file.startsWith('packages/') ? 'all' : (file.replace('services/', '').split('/')[0] ?? ''));
      codes.set(code, known);
    }
  }
  const rows = [...codes]
    .toSorted(([a, x], [b, y]) => (x.status + a < y.status + b ? -1 : 1))
    .map(([code, { status, places }]) => row(status, `\`${code}\``, [...places].toSorted().join(', ')));
  return [
    '# Errors',
    '',
    'Every refusal is `application/problem+json` (RFC 9457). `code` is stable and for programs; `detail` is for people. On',
    '`validation_failed`, `errors` names every wrong field by a JSON pointer (RFC 6901).',
    made,
    '',
    row('status', 'code', 'from'),
    row('---', '---', '---'),
    ...rows,
    '',
  ].join('\n');
}
