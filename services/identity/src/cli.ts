import { text } from 'node:stream/consumers';
import { newId } from '@storefront/contracts';
import { ConfigError, createLogger, loadConfig, openDatabase, Problem, readCommandLine } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import { z } from 'zod';
import { configSchema } from './config.ts';
import { createAdministrator } from './domain/administrator.ts';
import { createCommonPasswords } from './secrets/common-passwords.ts';
import { createPasswords } from './secrets/passwords.ts';
import { rotateSigningKeys } from './secrets/signing-keys.ts';
import { createEmails } from './store/emails.ts';
import { createKeyrings } from './store/keyrings.ts';
import { createUsers } from './store/users.ts';

const usage = `Commands of the identity service. They read the same variables as the service does.

  create-admin --email <address>   makes an administrator; the password comes from ADMIN_PASSWORD or standard input
  rotate-keys                      lets the next signing key sign, and makes the one after it
`;
const now = () => new Date();
const { positionals, values } = readCommandLine(usage, { email: { type: 'string' } });
const commands: Record<string, () => Promise<string>> = { 'create-admin': createAdmin, 'rotate-keys': rotateKeys };

try {
  const command = commands[positionals[0] ?? ''];
  if (!command) throw new ConfigError(usage);
  process.stdout.write(`${await command()}\n`);
} catch (error) {
  const known = error instanceof ConfigError || error instanceof Problem;
  const reasons = error instanceof Problem ? error.errors?.map((field) => `The password ${field.message}.`) : undefined;
  process.stderr.write(`${reasons?.join('\n') ?? (known ? error.message : String(error))}\n`);
  process.exitCode = 1;
}

async function createAdmin(): Promise<string> {
  const schema = configSchema.pick({ MONGODB_URL: true, PASSWORD_MIN_LENGTH: true, ADMIN_PASSWORD: true });
  const config = loadConfig(schema, process.env);
  const email = z.email().safeParse(values.email?.trim().toLowerCase());
  if (!email.success) throw new ConfigError('Name the email of the administrator: --email <address>');
  const password = config.ADMIN_PASSWORD ?? (await text(process.stdin)).trim();
  const minLength = config.PASSWORD_MIN_LENGTH;
  const passwords = await createPasswords();
  return withDatabase(config.MONGODB_URL, async (database) => {
    const isMade = await createAdministrator(
      {
        now,
        newId,
        rules: { minLength, isCommon: createCommonPasswords(minLength), accessSeconds: 0, refreshSeconds: 0 },
        emails: createEmails(database),
        // An administrator comes without an event, so there is nothing to relay.
        users: createUsers(database, { relay: { watch() {}, nudge() {} }, now }),
        passwords,
      },
      { email: email.data, password },
    );
    if (!isMade) throw new ConfigError(`Somebody has the email ${email.data} already; nothing was changed.`);
    return `${email.data} is an administrator now.`;
  });
}

async function rotateKeys(): Promise<string> {
  const schema = configSchema.pick({ MONGODB_URL: true, KEY_ENCRYPTION_SECRET: true, ACCESS_TOKEN_SECONDS: true });
  const config = loadConfig(schema, process.env);
  return withDatabase(config.MONGODB_URL, async (database) => {
    const key = await rotateSigningKeys({
      keyrings: createKeyrings(database),
      secret: config.KEY_ENCRYPTION_SECRET,
      accessSeconds: config.ACCESS_TOKEN_SECONDS,
      now,
    });
    return `The key ${key.kid} signs from ${key.activeFrom?.toISOString()} on, within 15 seconds at every instance.`;
  });
}

async function withDatabase<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(url, createLogger('identity', 'warn'));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
