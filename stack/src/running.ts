import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningSystem } from '@storefront/process';
import { databaseUrl } from './database-url.ts';
import type { Instance } from './instances.ts';

// What commands read of the configuration of services. ADMIN_PASSWORD must not be here: `create-admin` would give it to
// every administrator.
const settings = [
  'ACCESS_TOKEN_SECONDS',
  'ADMIN_MFA',
  'ANALYTICS_FACT_MONTHS',
  'ANALYTICS_PEOPLE_PER_TEXT',
  'ANALYTICS_TEXTS_PER_DAY',
  'CURRENCY',
  'DEFAULT_TAX_RATE',
  'DEMO_PAYMENT_SECRETS',
  'DEMO_PAYMENT_URL',
  'KEY_ENCRYPTION_SECRET',
  'NODE_ENV',
  'PASSWORD_MIN_LENGTH',
  'SHOP_TIME_ZONE',
];

/** Returns what commands have to know about the system whose services have these instances. */
export function runningSystem(
  services: readonly Pick<Instance, 'service' | 'env'>[],
  system: {
    readonly api: string;
    readonly mongodbUrl: string;
    readonly databasePrefix: string;
    readonly brokerUrl?: string | undefined;
    readonly managementUrl?: string | undefined;
  },
): RunningSystem {
  const read = settings.map((name) => [name, services[0]?.env[name]] as const);
  const variables = [
    ...read,
    ['API_URL', system.api],
    ['AMQP_URL', system.brokerUrl],
    ['RABBITMQ_MANAGEMENT_URL', system.managementUrl],
  ] as const;
  return {
    pid: process.pid,
    variables: Object.fromEntries(variables.flatMap(([name, value]) => (value ? [[name, value]] : []))),
    databases: {
      ...Object.fromEntries(services.map(({ service, env }) => [service.name, env.MONGODB_URL ?? ''])),
      all: databaseUrl(system.mongodbUrl, system.databasePrefix),
    },
  };
}

/**
 * Writes `running.json` into the data folder, for commands that run beside the system. Only the owner can read the file.
 * It is removed when the resources are closed.
 */
export async function tellCommands(
  system: RunningSystem,
  dataDir: string,
  resources: AsyncDisposableStack,
): Promise<void> {
  const file = join(dataDir, 'running.json');
  await writeFile(file, JSON.stringify(system), { mode: 0o600 });
  resources.defer(() => rmSync(file, { force: true }));
}
