import { fileURLToPath } from 'node:url';
import type { Service } from '@storefront/process';
import type { Credentials } from './accounts.ts';
import { sellerName, type Payments } from './payments.ts';
import type { Secrets } from './secrets.ts';

/** The services of the system, by the names of their folders. Add new services here. */
const names = ['identity', 'account', 'catalog', 'engagement', 'billing', 'orders', 'health'] as const;

/** A service of the system, or the gateway. Its code is loaded only when needed. */
export interface StackService {
  readonly name: string;
  /** The file that runs the service as a separate process. */
  readonly mainFile: string;
  load(): Promise<Service>;
}

export const services: readonly StackService[] = names.map((name) => serviceIn(name, `../../services/${name}/src/`));

export const gateway: StackService = serviceIn('gateway', '../../gateway/src/');

function serviceIn(name: string, folder: string): StackService {
  const file = (of: string) => new URL(folder + of, import.meta.url);
  return {
    name,
    mainFile: fileURLToPath(file('main.ts')),
    async load() {
      const { service } = (await import(file('service.ts').href)) as { service: Service };
      return service;
    },
  };
}

/** What the settings of the services depend on. */
interface System {
  /**
   * The environment of the user who starts the stack. A variable that is set here takes precedence over the stack's
   * default for it.
   */
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: Secrets;
  readonly admin: Credentials;
  readonly smtpUrl: string;
  /** The page of the development mailbox. Undefined where SMTP_URL is set. */
  readonly mailbox: string | undefined;
  readonly payments: Payments;
  /** The address of the example shop. null where it is left out. */
  readonly storefront: string | null;
  /** The address of the first gateway. */
  readonly api: string;
  /** The addresses of the instances of each service, by the name of the service. */
  readonly urls: Readonly<Record<string, readonly string[]>>;
  /** The addresses where the gateways serve `/readyz`. Services serve `/readyz` at their normal addresses. */
  readonly gatewayProbes: readonly string[];
}

const pictures = fileURLToPath(new URL('../demo/pictures', import.meta.url));

/**
 * The variables that depend on the system, for all services together. Each service reads only the variables in its
 * configuration.
 */
export function settingsOf(system: System): Record<string, string> {
  const { env, secrets, admin, smtpUrl, mailbox, payments, storefront, api, urls, gatewayProbes } = system;
  const upstreams = Object.entries(urls).map(([name, url]) => [`UPSTREAM_${name.toUpperCase()}`, url.join(',')]);
  // A single health service checks itself directly, so it need not be in the list.
  const services = Object.entries(urls).filter(([name, { length }]) => name !== 'health' || length > 1);
  const watched = [...services, ['gateway', gatewayProbes] as const].flatMap(([name, addresses]) =>
    addresses.map((address) => `${name}=${address}`),
  );
  const shopUrl = env.SHOP_URL || (storefront ?? `${api}/shop`);
  return {
    INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(secrets.internalKey.publicJwk),
    CODE_SECRET: secrets.secret('codes'),
    CODE_SEALING_KEY: secrets.secret('sealed codes'),
    KEY_ENCRYPTION_SECRET: secrets.secret('signing keys'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    SMTP_URL: smtpUrl,
    ...(mailbox !== undefined && { MAILBOX_URL: env.MAILBOX_URL || mailbox }),
    MAIL_FROM: env.MAIL_FROM || 'Storefront <no-reply@shop.example>',
    MAIL_DOMAIN: env.MAIL_DOMAIN || 'shop.example',
    // Without a shop, links in mails lead to pages of the gateway that say what a shop would do there.
    ...(!env.SHOP_URL && storefront === null && { STAND_IN_SHOP: env.STAND_IN_SHOP || 'on' }),
    SHOP_URL: shopUrl,
    ...(shopUrl === storefront && { UNSUBSCRIBE_URL: env.UNSUBSCRIBE_URL || `${shopUrl}/unsubscribe` }),
    // The example shop, on this machine, calls the API for its shoppers and names their addresses.
    ...(storefront !== null && { TRUST_PROXY: env.TRUST_PROXY || '127.0.0.1' }),
    API_URL: env.API_URL || api,
    // Pages that are developed beside the system, on whatever port.
    CORS_ORIGINS: env.CORS_ORIGINS || 'http://localhost:*,http://127.0.0.1:*',
    // Passkeys need a host name, because browsers do not accept IP addresses for them.
    WEBAUTHN_ORIGINS:
      env.WEBAUTHN_ORIGINS || [api.replace('127.0.0.1', 'localhost'), storefront].filter(Boolean).join(','),
    PICTURES_DIR: env.PICTURES_DIR || pictures,
    // When the operator sets a bank account, the demo BIC must not be used with it.
    ...(!env.BANK_IBAN && { BANK_IBAN: 'DE89370400440532013000', BANK_BIC: 'COBADEFFXXX' }),
    SELLER_NAME: sellerName(env),
    SELLER_ADDRESS: env.SELLER_ADDRESS || String.raw`Am Sandtorkai 1\n20457 Hamburg`,
    SELLER_COUNTRY: env.SELLER_COUNTRY || 'DE',
    SELLER_VAT_NUMBER: env.SELLER_VAT_NUMBER || 'DE136695976',
    SHOP_TIME_ZONE: env.SHOP_TIME_ZONE || 'Europe/Berlin',
    // A payment leads back to the shop, to the page that stands in for it, or to a page that is developed beside the system.
    RETURN_URLS: env.RETURN_URLS || `${shopUrl}/,http://localhost:*,http://127.0.0.1:*`,
    ...(payments.demo && {
      PAYMENT_PROVIDERS: env.PAYMENT_PROVIDERS || 'demo',
      DEMO_PAYMENT_SECRETS: env.DEMO_PAYMENT_SECRETS || payments.demo.secret,
      DEMO_PAYMENT_URL: env.DEMO_PAYMENT_URL || payments.demo.url,
    }),
    SERVICES: watched.join(','),
    ...Object.fromEntries(upstreams),
  };
}
