import { parseEnv } from 'node:util';

type Variables = Readonly<Record<string, string>>;

const broker = { AMQP_URL: 'required' } as const;
const service = {
  INTERNAL_TOKEN_PUBLIC_KEY: 'required',
  API_SECRET: 'required',
  MONGODB_URL: 'required',
} as const;

/**
 * The secrets that each part of the system gets. The address of a server is a secret, too, because it contains a
 * password.
 */
const secretsOf: Readonly<Record<string, Readonly<Record<string, 'required' | 'optional'>>>> = {
  gateway: { ...broker, INTERNAL_TOKEN_PRIVATE_KEY: 'required' },
  identity: {
    ...service,
    ...broker,
    CODE_SECRET: 'required',
    CODE_SEALING_KEY: 'required',
    KEY_ENCRYPTION_SECRET: 'required',
    ADMIN_EMAIL: 'optional',
    ADMIN_PASSWORD: 'optional',
  },
  account: { ...service, ...broker },
  catalog: { ...service, ...broker, S3_ACCESS_KEY_ID: 'optional', S3_SECRET_ACCESS_KEY: 'optional' },
  engagement: { ...service, ...broker, CODE_SEALING_KEY: 'required', SMTP_URL: 'required' },
  billing: { ...service, ...broker, STRIPE_WEBHOOK_SECRETS: 'optional', STRIPE_API_KEY: 'optional' },
  orders: { ...service, ...broker, CODE_SEALING_KEY: 'required' },
  health: { ...service, ...broker },
  topology: { ...broker, RABBITMQ_MANAGEMENT_URL: 'optional' },
};

export interface SplitSecrets {
  /** The variables of each part of the system, by the name of the part. */
  readonly parts: Readonly<Record<string, Variables>>;
  /** The required variables that are missing, such as `MONGODB_URL or MONGODB_URL_IDENTITY`. */
  readonly missing: readonly string[];
}

/**
 * Reads an `.env` file, and gives each part of the system only the secrets that it needs. A variable that ends with the
 * name of a part, such as `AMQP_URL_IDENTITY`, is for that part only. It takes precedence over the shared variable.
 * Where a password such as `RABBITMQ_PASSWORD_IDENTITY` is given, the part gets the shared address with its own user in
 * it. A shared `MONGODB_URL` must not name a database; the name of the part's own database is added.
 */
export function splitSecrets(text: string): SplitSecrets {
  const given = parseEnv(text) as Variables;
  const missing = new Set<string>();
  const parts = Object.entries(secretsOf).map(([part, wanted]) => {
    const found = Object.entries(wanted).map(([name, need]): [string, string] => {
      const own = `${name}_${part.toUpperCase()}`;
      const value = given[own] || shared(name, part, given);
      if (!value && need === 'required')
        missing.add(`${name}${name === 'MONGODB_URL' ? ', without a database,' : ''} or ${own}`);
      return [name, value];
    });
    return [part, Object.fromEntries(found.filter(([, value]) => value !== ''))];
  });
  return { parts: Object.fromEntries(parts), missing: [...missing] };
}

function shared(name: string, part: string, given: Variables): string {
  const value = given[name] ?? '';
  if (name === 'AMQP_URL') return withUser(value, part, given[`RABBITMQ_PASSWORD_${part.toUpperCase()}`]);
  if (name !== 'MONGODB_URL') return value;
  const [, server, options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?(\?.*)?$/.exec(value) ?? [];
  if (server === undefined) return '';
  const password = given[`MONGODB_PASSWORD_${part.toUpperCase()}`];
  // The user is stored in the service's own database. MongoDB looks for the user there when the address names the
  // database and has no `authSource`.
  const kept = password === undefined ? options : options.replace(/\bauthSource=[^&]*&?/, '').replace(/[?&]$/, '');
  return `${withUser(server, part, password)}/${part}${kept}`;
}

function withUser(address: string, user: string, password: string | undefined): string {
  return password === undefined ? address : address.replace(/^([^:]+:\/\/)(?:[^/@]*@)?/, `$1${user}:${password}@`);
}
