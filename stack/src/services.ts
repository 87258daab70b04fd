import { fileURLToPath } from 'node:url';
import type { Running, Surroundings } from '@storefront/service-kit';
import { loadConfig } from '@storefront/service-kit';
import type { z } from 'zod';
import type { Account } from './accounts.ts';
import type { Secrets } from './secrets.ts';

/** What a service may be told about the system besides what all are told. */
interface System {
  /** What whoever starts the stack says: wins over what the stack would choose where that is a matter of taste. */
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: Secrets;
  readonly admin: Account;
  readonly smtpUrl: string;
  /** The address of the first gateway. */
  readonly api: string;
  /** The addresses of all services but the gateways. */
  readonly urls: Readonly<Record<string, string>>;
  /** Where each service and each gateway answers `/readyz`. */
  readonly probes: Readonly<Record<string, string>>;
}

/** A service, or the gateway, as this page knows it; its code is loaded when it is asked for. */
export interface Service {
  readonly name: string;
  readonly settings: (system: System) => Readonly<Record<string, string>>;
  /** Loads its code ahead of the start. */
  load(): Promise<unknown>;
  start(env: NodeJS.ProcessEnv, surroundings: Surroundings): Promise<Running>;
}

function service<Schema extends z.ZodObject>(
  name: string,
  code: () => Promise<{ start(config: z.output<Schema>, surroundings?: Surroundings): Promise<Running> }>,
  config: () => Promise<{ configSchema: Schema }>,
  settings: Service['settings'] = () => ({}),
): Service {
  const load = () => Promise.all([code(), config()]);
  return {
    name,
    settings,
    load,
    async start(env, surroundings) {
      const [loaded, { configSchema }] = await load();
      return loaded.start(loadConfig(configSchema, env), surroundings);
    },
  };
}

const identitySettings: Service['settings'] = ({ secrets, admin }) => ({
  CODE_SECRET: secrets.secret('codes'),
  CODE_SEALING_KEY: secrets.secret('sealed codes'),
  KEY_ENCRYPTION_SECRET: secrets.secret('signing keys'),
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
});

const engagementSettings: Service['settings'] = ({ env, secrets, smtpUrl, api }) => ({
  CODE_SEALING_KEY: secrets.secret('sealed codes'),
  SMTP_URL: smtpUrl,
  MAIL_FROM: env.MAIL_FROM || 'Storefront <no-reply@shop.example>',
  MAIL_DOMAIN: env.MAIL_DOMAIN || 'shop.example',
  SHOP_URL: env.SHOP_URL || api,
});

const pictures = fileURLToPath(new URL('../demo/pictures', import.meta.url));

const catalogSettings: Service['settings'] = ({ env }) => ({ PICTURES_DIR: env.PICTURES_DIR || pictures });

const healthSettings: Service['settings'] = ({ probes }) => ({
  SERVICES: Object.entries(probes)
    .filter(([name]) => name !== 'health')
    .map(([name, url]) => `${name}=${url}`)
    .join(','),
});

const gatewaySettings: Service['settings'] = ({ secrets, urls }) => ({
  INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(secrets.internalKey.privateJwk),
  ...Object.fromEntries(Object.entries(urls).map(([name, url]) => [`UPSTREAM_${name.toUpperCase()}`, url])),
});

/** The services of the system. A new one gets its line here, and its settings above where it needs more than all do. */
export const services: readonly Service[] = [
  service(
    'identity',
    () => import('@storefront/identity'),
    () => import('@storefront/identity/config'),
    identitySettings,
  ),
  service(
    'account',
    () => import('@storefront/account'),
    () => import('@storefront/account/config'),
  ),
  service(
    'catalog',
    () => import('@storefront/catalog'),
    () => import('@storefront/catalog/config'),
    catalogSettings,
  ),
  service(
    'engagement',
    () => import('@storefront/engagement'),
    () => import('@storefront/engagement/config'),
    engagementSettings,
  ),
  service(
    'health',
    () => import('@storefront/health'),
    () => import('@storefront/health/config'),
    healthSettings,
  ),
];

export const gateway: Service = service(
  'gateway',
  () => import('@storefront/gateway'),
  () => import('@storefront/gateway/config'),
  gatewaySettings,
);
