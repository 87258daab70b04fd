import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { allPages, audited, http, identityHttp, operator, Refusal } from '@storefront/contracts';
import { erasedKeyOf, noRelay, openAuditNotes, openDatabase, type Database } from '@storefront/mongo';
import { ConfigError, createLogger, loadCommandConfig, readCommandLine } from '@storefront/process';
import { runRepublish, republishOptions, republishUsage } from '@storefront/service';
import { openRegistrations, readSnapshots } from './accounts/accounts.ts';
import {
  assertStaff,
  changeRole,
  createAdministrator,
  logStaffOut,
  openStaff,
  reviewStaff,
  type Staff,
} from './administration/administration.ts';
import { configSchema } from './config.ts';
import { openFactorStore, removeLostFactor, summaryOf, type FactorStore } from './factors/factors.ts';
import { createPasswordRules, createPasswords } from './secrets/passwords.ts';
import { openSessionStore, rotateKeys } from './sessions/sessions.ts';
import { openEmails } from './store/emails.ts';
import { openUsers } from './store/users.ts';
import { eraseAgain, openDataRequests } from './user-data/user-data.ts';

const givenRoles = identityHttp.roleChange.shape.role;
const usage = `Commands of the identity service. They read the same variables as the service; what is not set comes from
the system that npm start runs on DATA_DIR (.data).

  create-admin --email <address>   creates an administrator; the password comes from ADMIN_PASSWORD or standard input
  erase-again [<file>]             after a restore: erases once more the users whom erased -- list has written into the file,
                                   or standard input
  staff list                       shows who works for the shop, with role, status and second factors
  staff set-role --email <address> --role ${givenRoles.options.join('|')} [--reason <text>]
                                   gives an account a role of the staff or takes it away, and revokes its tokens;
                                   several accounts, where each --email has its --role
  staff disable --email <address> [--reason <text>]
  staff enable --email <address> [--reason <text>]
                                   disables one, who can't log in then and whose tokens are revoked, or enables one again
  staff end-sessions --email <address>
                                   logs one out on every device
  staff remove-factor --email <address> --factor totp|<id of a passkey>
                                   removes a second factor that was lost
  rotate-keys                      makes the next signing key the one that signs, and announces another one
  ${republishUsage}
`;
const now = () => new Date();
const { positionals, values } = readCommandLine(usage, {
  email: { type: 'string', multiple: true },
  role: { type: 'string', multiple: true },
  reason: { type: 'string' },
  factor: { type: 'string' },
  ...republishOptions,
});
const commands: Record<string, () => Promise<string>> = {
  'create-admin': createAdmin,
  'erase-again': eraseUsersAgain,
  staff: manageStaff,
  'rotate-keys': rotateSigningKeys,
  republish: republishUsers,
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
  const config = loadCommandConfig(schema, 'identity');
  const email = namedEmail();
  const typed = identityHttp.password.safeParse(config.ADMIN_PASSWORD ?? (await text(process.stdin)).trim());
  if (!typed.success) throw new ConfigError(`The password ${typed.error.issues[0]?.message}.`);
  return withDatabase(config.MONGODB_URL, async (database) => {
    const isCreated = await createAdministrator(
      {
        now,
        passwordRules: createPasswordRules(config.PASSWORD_MIN_LENGTH),
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

async function eraseUsersAgain(): Promise<string> {
  const config = loadCommandConfig(configSchema.pick({ MONGODB_URL: true }), 'identity');
  const file = positionals[1];
  const lines = (file === undefined ? await text(process.stdin) : await readFile(file, 'utf8')).split('\n');
  const hashes = new Set(lines.flatMap((line) => line.trim().split(' ')[0] || []));
  return withDatabase(config.MONGODB_URL, async (database) => {
    const parts = { database, relay: noRelay, now };
    const users = openUsers(parts);
    const registrations = openRegistrations(parts, { users, emails: openEmails(database) });
    const { erasures } = openDataRequests(parts, users);
    const started = await eraseAgain({ users, erasures, registrations, now }, (id) => hashes.has(erasedKeyOf(id)));
    return `${started} users are being erased once more, as soon as all services run.`;
  });
}

function namedEmail(): string {
  const { email: [first, ...others] = [] } = values;
  return checkedEmail(others.length > 0 ? undefined : first);
}

function checkedEmail(given: string | undefined): string {
  const email = http.emailAddress.safeParse(given).data;
  if (!email) throw new ConfigError('Name the email of the person: --email <address>');
  return email;
}

async function ownerOf(email: string, database: Database): Promise<string> {
  const userId = await openEmails(database).ownerOf(email);
  if (!userId) throw new ConfigError(`Nobody has the email ${email}.`);
  return userId;
}

async function manageStaff(): Promise<string> {
  const config = loadCommandConfig(configSchema.pick({ MONGODB_URL: true, ADMIN_MFA: true }), 'identity');
  return withDatabase(config.MONGODB_URL, async (database) => {
    const relayed = { database, relay: noRelay, now };
    const users = openUsers(relayed);
    const needs = {
      now,
      users,
      staff: openStaff({ database, users }),
      sessions: openSessionStore(database),
      factors: openFactorStore(relayed),
      adminMfa: config.ADMIN_MFA,
      // The audit log records completed actions of the operator. Refusals are only shown on the screen, so this log
      // notes none.
      auditLog: { notingRefusal: <Result>(work: () => Promise<Result>) => work() },
    };
    const action = positionals[1];
    if (action === 'list') return listStaff(needs);
    if (action === 'set-role') return setRoles(needs, database);
    const email = namedEmail();
    const userId = await ownerOf(email, database);
    if (action === 'disable' || action === 'enable') {
      const review = { userId, action, actor: operator, reason: values.reason ?? null } as const;
      await reviewStaff(needs, review, () => undefined);
      return `${email} is ${action}d now.`;
    }
    if (action === 'end-sessions') {
      await logStaffOut(needs, userId, operator);
      return `${email} is logged out on every device.`;
    }
    if (action !== 'remove-factor') throw new ConfigError(usage);
    if (!values.factor) throw new ConfigError('Name the factor: --factor totp, or the id of a passkey');
    const factor = values.factor === 'totp' ? values.factor : { passkey: values.factor };
    const user = (await users.load(userId))?.state ?? null;
    assertStaff(user);
    await removeLostFactor(needs, user, factor, operator);
    return `${email} has no such factor any more.`;
  });
}

/** Gives each person their role. Nobody gets one where an email or a role is wrong. */
async function setRoles(needs: Parameters<typeof changeRole>[0], database: Database): Promise<string> {
  const { email = [], role = [], reason = null } = values;
  const count = Math.max(email.length, role.length, 1);
  const changes: { readonly said: string; readonly change: Parameters<typeof changeRole>[1] }[] = [];
  for (let at = 0; at < count; at += 1) {
    const named = checkedEmail(email[at]);
    const given = givenRoles.safeParse(role[at]).data;
    if (!given) throw new ConfigError(`Name the role: --role ${givenRoles.options.join('|')}`);
    const userId = await ownerOf(named, database);
    changes.push({
      said: `${named} has the role ${given} now.`,
      change: { userId, role: given, actor: operator, reason },
    });
  }
  for (const { change } of changes) await changeRole(needs, change, () => undefined);
  return changes.map(({ said }) => said).join('\n');
}

async function listStaff(needs: { staff: Staff; factors: FactorStore }): Promise<string> {
  const lines: string[] = [];
  for await (const page of allPages((slice) => needs.staff.page(slice), 100))
    for (const { state } of page) {
      const { totp, passkeys } = summaryOf((await needs.factors.load(state.id))?.state ?? null);
      const names = [...(totp ? ['totp'] : []), ...passkeys.map(({ id }) => id)];
      const status = state.status === 'active' ? 'enabled' : 'disabled';
      lines.push([state.email, state.role, status, names.join(', ') || 'no second factor'].join('  '));
    }
  return lines.join('\n');
}

async function rotateSigningKeys(): Promise<string> {
  const schema = configSchema.pick({ MONGODB_URL: true, KEY_ENCRYPTION_SECRET: true, ACCESS_TOKEN_SECONDS: true });
  const config = loadCommandConfig(schema, 'identity');
  return withDatabase(config.MONGODB_URL, async (database) => {
    const auditNotes = openAuditNotes({ database, relay: noRelay, now });
    const key = await rotateKeys(database, config, now);
    const object = { type: 'signing-key', id: key.kid };
    await auditNotes.add(audited('identity', operator, 'keys-rotated', { object }));
    return `The key ${key.kid} signs from ${key.activeFrom?.toISOString()} on, within 15 seconds at every instance.`;
  });
}

function republishUsers(): Promise<string> {
  return runRepublish('identity', values, (database) => {
    const users = openUsers({ database, relay: noRelay, now });
    return (after, limit) => readSnapshots({ users, now }, after, limit);
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
