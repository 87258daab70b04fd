import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoStaff, people, type Accounts, type Credentials } from './accounts.ts';
import { StackError } from './error.ts';
import { fillAccount } from './fill-account.ts';
import { fillCampaigns } from './fill-campaigns.ts';
import { fillCheckout } from './fill-checkout.ts';
import { fillMoreOrders, fillOrders } from './fill-orders.ts';
import { fillShop } from './fill-shop.ts';
import { createDemoApi, type DemoApi, type Session } from './demo-api.ts';
import { setRoles } from './set-roles.ts';

interface DemoOptions {
  readonly api: string;
  readonly mailbox: string | null;
  readonly accounts: Required<Accounts>;
  readonly dataDir: string;
  /** Whether the demo payment provider runs. */
  readonly hasDemoProvider: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

/**
 * Creates the demo data through the API, like a client, with the codes from the mailbox. It is created once for each
 * data folder and database. Returns whether the demo accounts exist.
 */
export async function createDemo(options: DemoOptions): Promise<boolean> {
  const { accounts, say } = options;
  const marker = markerOf(options, 'demo.json');
  if (await marker.isThere()) return true;
  if (options.mailbox === null) {
    say(
      'No demo accounts: SMTP_URL sends mails to real mailboxes, and with them the codes that prove an email. ' +
        'Register with an email of your own, or start without SMTP_URL.',
    );
    return false;
  }
  say('Making the demo data …');
  const api = createDemoApi(options.api, options.mailbox);
  const admin = await api.logIn(accounts.admin);
  const [retail] = await Promise.all([
    createConsumer(api, accounts.retail, people.retail),
    createStaff(api, accounts, options),
    createTrade(api, accounts.trade, admin.token),
    fillShop(api, admin.token),
  ]);
  await Promise.all([
    fillAccount(api, retail.token),
    fillCampaigns(api, admin.token),
    fillCheckout(api, admin.token),
    sendNotifications(api, admin.token, retail.userId),
  ]);
  const trade = await api.logIn(accounts.trade);
  await fillOrders(api, { admin: admin.token, retail: retail.token, trade: trade.token }, options);
  await marker.write();
  return true;
}

/**
 * Makes more orders, once for each data folder and database, while the system is in use already. It ends without them when
 * `isStopped`; then the next start goes on. Throws like `createDemo`.
 */
export async function createMoreOrders(
  options: Omit<DemoOptions, 'mailbox'> & { readonly mailbox: string; readonly isStopped: () => boolean },
): Promise<void> {
  const { accounts, say, isStopped } = options;
  const marker = markerOf(options, 'demo-orders.json');
  if (!options.hasDemoProvider || (await marker.isThere())) return;
  say('Making more orders for the demo shop meanwhile …');
  const api = createDemoApi(options.api, options.mailbox);
  const admin = await api.logIn(accounts.admin);
  const made = await fillMoreOrders(api, admin.token, isStopped);
  if (made === null) return;
  await marker.write();
  say(`The demo shop has ${made} more orders now.`);
}

/** Notes that something was made. If the database has changed, it must be made again. */
function markerOf({ dataDir, env }: Pick<DemoOptions, 'dataDir' | 'env'>, name: string) {
  const file = join(dataDir, name);
  const state = JSON.stringify({ database: env.MONGODB_URL ?? 'own' });
  return {
    isThere: async () => (await readFile(file, 'utf8').catch(() => '')) === state,
    write: () => writeFile(file, state),
  };
}

async function createStaff(api: DemoApi, accounts: Required<Accounts>, options: DemoOptions): Promise<void> {
  await Promise.all(demoStaff.map((role) => createConsumer(api, accounts[role], people[role])));
  await setRoles(
    demoStaff.map((role) => ({ email: accounts[role].email, role })),
    options,
  );
}

/** Registers a retail user and verifies the email. Returns the session. */
async function createConsumer(
  api: DemoApi,
  account: Credentials,
  name: { readonly firstName: string; readonly lastName: string },
): Promise<Session> {
  const existing = await api.tryLogIn(account);
  if (existing) return existing;
  const session = await register(api, '/v1/auth/register', { ...account, ...name });
  if (session) return session;
  throw new StackError(`The demo data could not be made: ${account.email} is not logged in by its code.`);
}

/** Registers a trade user, verifies the email and approves the application. */
async function createTrade(api: DemoApi, account: Credentials, adminToken: string): Promise<void> {
  if (await api.tryLogIn(account)) return;
  // An earlier start may have been interrupted after the registration but before the approval.
  if ((await findApplication(api, account.email, adminToken)) === undefined)
    await register(api, '/v1/auth/trade/register', { ...account, ...people.trade });
  const id = await findApplication(api, account.email, adminToken);
  if (id === undefined)
    throw new StackError(
      `The demo data could not be made: ${account.email} is not among the trade accounts to approve.`,
    );
  await api.post(`/v1/trade-accounts/${id}/approve`, { reason: 'Welcome to the demo.' }, adminToken);
}

async function register(
  api: DemoApi,
  path: string,
  form: Credentials & Record<string, unknown>,
): Promise<Session | null> {
  const { registrationId } = await api.post(path, form);
  return api.prove({ registrationId: String(registrationId), email: form.email });
}

async function findApplication(api: DemoApi, email: string, adminToken: string): Promise<string | undefined> {
  const { data } = await api.get('/v1/trade-accounts?status=pending-approval&limit=100', adminToken);
  return (data as { id: string; email: string }[]).find((account) => account.email === email)?.id;
}

const notifications = [
  { type: 'demo-welcome', title: 'Welcome to Storefront', body: 'This account was made for you to look around.' },
  { type: 'demo-docs', title: 'Try the API', body: 'Every route can be read and tried on the docs page.' },
  { type: 'demo-mailbox', title: 'You have mail', body: 'Everything that the system sends is in the mailbox.' },
];

async function sendNotifications(api: DemoApi, adminToken: string, userId: string): Promise<void> {
  for (const notification of notifications)
    await api.post('/v1/notifications', { channel: 'IN_APP', userId, ...notification }, adminToken);
}
