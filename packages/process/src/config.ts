import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { allowCleartext, cleartextFaults } from './cleartext.ts';

/** The configuration is not valid; the message names every wrong variable, one on each line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads a configuration from environment variables. Every field of the schema is a variable. `NAME_FILE` may instead
 * name a file with the value, as for container secrets. An empty variable counts as absent.
 *
 * In production, unencrypted connections to servers on other machines are refused. Everything counts as production
 * unless NODE_ENV names something else. Throws ConfigError.
 */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  const values: Record<string, string> = {};
  const wrong: string[] = [];
  for (const name of Object.keys(schema.shape)) {
    const file = env[`${name}_FILE`];
    if (file) {
      try {
        values[name] = readFileSync(file, 'utf8').trim();
      } catch (error) {
        wrong.push(`  ${name}_FILE: ${(error as Error).message}`);
      }
    } else if (env[name]) values[name] = env[name];
  }
  if ((env['NODE_ENV'] || 'production') === 'production')
    wrong.push(...cleartextFaults(values, env['ALLOW_CLEARTEXT']).map((fault) => `  ${fault}`));
  const parsed = schema.safeParse(values);
  if (parsed.success && wrong.length === 0) return parsed.data;
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? 'configuration');
    if (wrong.some((line) => line.startsWith(`  ${name}_FILE:`) || line.startsWith(`  ${name}:`))) continue;
    wrong.push(
      `  ${name}: ${values[name] === undefined && issue.code === 'invalid_type' ? 'is required' : issue.message}`,
    );
  }
  throw new ConfigError(`The configuration is not valid:\n${wrong.join('\n')}`);
}

const jwk = z.string().transform((text, context) => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && (parsed as { crv?: unknown }).crv === 'Ed25519')
      return parsed as { kty: string; crv: string; x: string; d?: string };
  } catch {
    // Reported below, together with keys of another kind.
  }
  context.addIssue({ code: 'custom', message: 'must be an Ed25519 key as a JSON Web Key' });
  return z.NEVER;
});

const secret = z
  .string()
  .min(32, { error: 'must have at least 32 characters' })
  .refine((value) => !/change.?me|example|development/i.test(value), {
    error: 'is an example value: make one with `npm run secrets`',
  });

/** Types of variables that configurations share. */
export const configTypes = {
  secret,
  privateJwk: jwk.refine((key) => typeof key.d === 'string', { error: 'must hold the private part' }),
  publicJwk: jwk.refine((key) => key.d === undefined, { error: 'must not hold a private part' }),
  port: z.coerce.number().int().min(0).max(65_535),
  mongodbUrl: z.string().regex(/^mongodb(\+srv)?:\/\/[^/]+\/[A-Za-z0-9_-]+(\?.*)?$/, {
    error: 'must be a mongodb:// address that names a database in its path',
  }),
  amqpUrl: z.string().regex(/^amqps?:\/\/.+/, { error: 'must be an amqp:// or amqps:// address' }),
  milliseconds: z.coerce.number().int().min(0),
  /** A key of 32 bytes, by which one service encrypts what another one decrypts. */
  sealingKey: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, { error: 'must be 32 bytes in base64url: make them with `npm run secrets`' })
    .transform((text) => new Uint8Array(Buffer.from(text, 'base64url'))),
  /** An address of the web, without a slash at its end. */
  webAddress: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  allowCleartext,
};

/** The variables that every service has. A service's own configuration adds more. */
export const serviceConfig = {
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. Keep it private: only the gateway is for the public.'),
  PORT: configTypes.port.default(0).describe('Port to listen on; 0 takes any free one.'),
  MONGODB_URL: configTypes.mongodbUrl.describe("The service's own database, named in the path."),
  AMQP_URL: configTypes.amqpUrl
    .optional()
    .describe('RabbitMQ. Required unless the service runs inside the stack on the in-process bus.'),
  ALLOW_CLEARTEXT: allowCleartext,
  INTERNAL_TOKEN_PUBLIC_KEY: configTypes.publicJwk.describe(
    "The gateway's public key (JWK): checks its internal tokens, which say who is calling.",
  ),
  API_SECRET: secret.describe('Signs page cursors and idempotency fingerprints.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('How much is logged.'),
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('production')
    .describe('`production` refuses everything meant for development only.'),
};

export type ServiceConfig = z.output<z.ZodObject<typeof serviceConfig>>;

/** Returns one entry for each variable of a configuration, for tables and `.env` examples. */
export function describeConfig(
  schema: z.ZodObject,
): { name: string; description: string; required: boolean; default: string | null }[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const type = field as z.ZodType;
    const fallback = type.safeParse(undefined);
    const value = fallback.success ? fallback.data : undefined;
    return {
      name,
      description: type.description ?? '',
      required: !fallback.success,
      default: value === undefined || value === null ? null : JSON.stringify(value),
    };
  });
}
