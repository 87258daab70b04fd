import { text } from 'node:stream/consumers';
import { http, identityHttp, Refusal } from '@storefront/contracts';
import { noRelay, openDatabase } from '@storefront/mongo';
import type { Database } from '@storefront/mongo';
import { ConfigError, createLogger, loadConfig, readCommandLine } from '@storefront/process';
import { runTellAll, tellAllOptions, tellAllUsage } from '@storefront/service';
import { createAdministrator } from './commands/create-administrator.ts';
import { readPresent } from './commands/read-present.ts';
import { configSchema } from './config.ts';
import { createCommonPasswords } from './secrets/common-passwords.ts';
import { createPasswords } from './secrets/passwords.ts';
import { rotateSigningKeys } from './secrets/signing-keys.ts';
import { openEmails } from './store/emails.ts';
import { openKeyRings } from './store/key-rings.ts';
import { openUsers } from './store/users.ts';

const usage = `Commands of the identity service. They read the same variables as the service.

  create-admin --email <address>   creates an administrator; the password comes from ADMIN_PASSWORD or standard input
  rotate-keys                      makes the next signing key the one that signs, and announces another one
  ${tellAllUsage}
`;
const now = () => new Date();
const { positionals, values } = readCommandLine(usage, { email: { type: 'string' }, ...tellAllOptions });
const commands: Record<string, () => Promise<string>> = {
  'create-admin': createAdmin,
  'rotate-keys': rotateKeys,
  'tell-all': tellAllUsers,
};

try {
  const command = commands[positionals[0] ?? ''];
  if (!command) throw new ConfigError(usage);
  process.stdout.write(`${await command()}\n`);
} catch (error) {
  const known = error instanceof ConfigError || error instanceof Refusal;
  const reasons = error instanceof Refusal ? error.fields?.map((field) => `The password ${field.message}.`) : undefined;
  process.stderr.write(`${reasons?.join('\n') ?? (known ? error.message : String(error))}\n`);
  process.exitCode = 1;
}

async function createAdmin(): Promise<string> {
  const schema = configSchema.pick({ MONGODB_URL: true, PASSWORD_MIN_LENGTH: true, ADMIN_PASSWORD: true });
  const config = loadConfig(schema, process.env);
  const email = http.emailAddress.safeParse(values.email).data;
  if (!email) throw new ConfigError('Name the email of the administrator: --email <address>');
  const typed = identityHttp.password.safeParse(config.ADMIN_PASSWORD ?? (await text(process.stdin)).trim());
  if (!typed.success) throw new ConfigError(`The password ${typed.error.issues[0]?.message}.`);
  const minLength = config.PASSWORD_MIN_LENGTH;
  return withDatabase(config.MONGODB_URL, async (database) => {
    const isCreated = await createAdministrator(
      {
        now,
        passwordRules: { minLength, isCommon: createCommonPasswords(minLength) },
        passwords: await createPasswords(),
        emails: openEmails(database),
        users: openUsers({ database, relay: noRelay, now }),
      },
      { email, password: typed.data },
    );
    if (!isCreated) throw new ConfigError(`Somebody has the email ${email} already; nothing was changed.`);
    return `${email} is an administrator now.`;
  });
}

async function rotateKeys(): Promise<string> {
  const schema = configSchema.pick({ MONGODB_URL: true, KEY_ENCRYPTION_SECRET: true, ACCESS_TOKEN_SECONDS: true });
  const config = loadConfig(schema, process.env);
  return withDatabase(config.MONGODB_URL, async (database) => {
    const key = await rotateSigningKeys({
      keyRings: openKeyRings(database),
      secret: config.KEY_ENCRYPTION_SECRET,
      accessSeconds: config.ACCESS_TOKEN_SECONDS,
      now,
    });
    return `The key ${key.kid} signs from ${key.activeFrom?.toISOString()} on, within 15 seconds at every instance.`;
  });
}

function tellAllUsers(): Promise<string> {
  return runTellAll('identity', values, (database) => {
    const users = openUsers({ database, relay: noRelay, now });
    return (after, limit) => readPresent({ users, now }, after, limit);
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
