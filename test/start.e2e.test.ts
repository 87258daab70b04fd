import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { catalogHttp, engagementHttp, ordersHttp } from '@storefront/contracts';
import { eventually, freshDatabase, freshVhost } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFailed, onTestFinished } from 'vitest';
import { databaseUrl } from '../stack/src/database-url.ts';
import { patientClientOf } from './client.ts';
import { expectNothingLeft } from './nothing-left.ts';
import { patient } from './patient.ts';
import { familyOf, start, type Description, type Started } from './start-process.ts';

const running: Started[] = [];
afterEach(async () => {
  for (const started of running.splice(0)) {
    started.kill('SIGTERM');
    await started.exited;
  }
});

async function freshDataDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'storefront-start-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  return path;
}

/** The server that the run shares; the name in the path keeps the databases of this start apart. */
function serverWithPrefix(label: string): string {
  return freshDatabase(label).url;
}

function run(args: string[], env: Record<string, string>): Started {
  const started = start(args, { PORT: '0', MAILBOX_PORT: '0', ...env });
  running.push(started);
  onTestFailed(() => {
    process.stderr.write(started.stderr());
  });
  return started;
}

async function logIn(description: Description, name: string): Promise<{ role: string; token: string }> {
  const client = patientClientOf(description.gateways[0] ?? '');
  const { status, body } = await client.call('POST', '/v1/auth/login', { body: description.accounts[name] });
  expect(status).toBe(200);
  return { role: body.user.role, token: body.accessToken };
}

/** Whether all orders that are promised are waited for, ten of each state, or only one of those that are made in the background. */
const isProof = inject('isProof');
const lasting = ['open', 'partial', 'shipped', 'delivered', 'cancelled', 'refused'];
const roles = ['admin', 'catalog', 'marketing', 'sales', 'support', 'trade', 'retail'];

// A minute alone, and much more beside the fault rig.
describe('npm start', { timeout: 900_000 }, () => {
  // The first test leaves a folder with the secrets of its system and a backup of it, from which the second one starts.
  let dataDir: string;
  let backup: string;
  let accounts: Description['accounts'];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'storefront-start-'));
    backup = join(dataDir, 'backup');
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));

  it('says in one line what there is, finds its data again, is found by commands, and leaves nothing behind when its starter is killed', async () => {
    // A first try may have begun it.
    await rm(backup, { recursive: true, force: true });
    // The demo data and this test together log in more often in a minute than one address may.
    const env = { DATA_DIR: dataDir, RATE_LIMIT_AUTH: '100', ...patient };
    const first = run(['--json', '--gateways', '2'], env);
    const description = await first.ready();
    accounts = description.accounts;
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
    const account = (name: string) => ({
      email: `${name}@example.com`,
      password: expect.stringMatching(/^[a-z-]{20,}$/),
    });
    expect(description).toEqual({
      gateways: [address, address],
      mailbox: address,
      docs: `${description.gateways[0]}/docs`,
      storefront: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      console: expect.stringMatching(/^http:\/\/localhost:\d+\/console$/),
      payments: { demo: { secret: expect.stringMatching(/^[\w-]{43}$/), url: address } },
      accounts: Object.fromEntries(roles.map((role) => [role, account(role)])),
      backing: {
        mongodb: expect.stringMatching(/^mongodb /),
        broker: expect.stringMatching(/^rabbitmq /),
        mail: expect.stringContaining(description.mailbox ?? ''),
      },
    });
    const payments = description.payments.demo;
    expect(first.stdout().trimEnd().split('\n')).toHaveLength(1);
    for (const text of [...description.gateways, description.docs, description.mailbox ?? '', payments.url, dataDir])
      expect(first.stderr()).toContain(text);
    for (const file of ['secrets.json', 'running.json']) expect((await stat(join(dataDir, file))).mode & 0o077).toBe(0);

    for (const role of roles) expect((await logIn(description, role)).role).toBe(role);
    const { token } = await logIn(description, 'retail');
    const client = patientClientOf(description.gateways[1] ?? '');
    const notifications = async (at: string, who: string) =>
      (await patientClientOf(at).call('GET', '/v1/notifications', { token: who })).body.data;
    // Three that are sent, two about the order that is placed and shipped in part, and one about the one that is cancelled.
    const before = await eventually(async () => {
      const all = await notifications(description.gateways[1] ?? '', token);
      return all.length >= 6 ? all : undefined;
    }, 'the notifications about the orders');
    const kept = async (path: string) => (await client.call('GET', path, { token })).body;
    expect((await kept('/v1/users/me/addresses')).data).toHaveLength(3);
    expect((await kept('/v1/customers')).data).toHaveLength(3);
    expect((await kept('/v1/wishlist')).items).toHaveLength(4);
    const shop = async (from: typeof client) => {
      const { data } = (await from.call('GET', '/v1/products?limit=100')).body as catalogHttp.ProductPage;
      return data.map(({ sku, variants, images }) => [sku, variants.length, images.map(({ id }) => id)]);
    };
    const products = await shop(client);
    // The apron in its sizes and colours, with pictures that were uploaded.
    const uploaded = expect.stringMatching(/^img_/);
    expect(products).toContainEqual(['TEX-002', 5, [uploaded, uploaded]]);
    const { token: sales } = await logIn(description, 'sales');
    const ordersAt = async (at: string, who: string) => {
      const { data } = (await patientClientOf(at).call('GET', '/v1/orders?limit=100', { token: who })).body as {
        data: ordersHttp.OrderBody[];
      };
      return data.map(({ id, reference, status, fulfilmentStatus }) => {
        return { id, stands: `${reference} ${status === 'placed' ? fulfilmentStatus : status}` };
      });
    };
    // Others are made while the system is in use.
    const firstOrdersAt = async (at: string, who: string) =>
      (await ordersAt(at, who)).filter(({ stands }) => /^DEMO-[1-7] /.test(stands));
    const orders = await firstOrdersAt(description.gateways[0] ?? '', sales);
    expect(orders.map(({ stands }) => stands).sort()).toEqual([
      'DEMO-1 partial',
      'DEMO-2 delivered',
      'DEMO-3 open',
      'DEMO-4 awaiting-payment',
      'DEMO-5 cancelled',
      'DEMO-6 refused',
      'DEMO-7 shipped',
    ]);
    const [login, evaluation] = first.stderr().match(/curl .*/g) ?? [];
    const pasted = await promisify(execFile)('sh', ['-c', login ?? 'false']);
    expect(JSON.parse(pasted.stdout)).toMatchObject({ tokenType: 'Bearer' });
    const { stdout } = await promisify(execFile)('sh', ['-c', evaluation ?? 'false']);
    const evaluated = JSON.parse(stdout) as engagementHttp.EvaluationBody;
    const euros = (amount: number) => ({ amount, currency: 'EUR' });
    expect(evaluated).toMatchObject({ subtotal: euros(2580), discount: euros(258), shippingDiscount: euros(0) });
    const reasons = new Map(evaluated.campaigns.map(({ name, reason, missing }) => [name, [reason, missing]]));
    expect(Object.fromEntries(reasons)).toEqual({
      'A tenth off all tea': [null, null],
      'Free shipping from 50 euros': ['minimum_subtotal', euros(2420)],
      'Pallet discount': ['sign_in_required', null],
      'Autumn teas': ['ended', null],
    });
    expect((await fetch(description.docs)).status).toBe(200);

    const other = run(['--json'], { DATA_DIR: dataDir });
    expect(await other.exited).toBe(1);
    const refusal = String.raw`^npm start already runs on ${dataDir} \(process \d+\): stop it, or set DATA_DIR to another folder\.\n$`;
    expect(other.stderr()).toMatch(new RegExp(refusal));

    const family = familyOf(first.pid);
    expect(family.length).toBeGreaterThan(3);
    first.kill('SIGINT');
    expect(await first.exited).toBe(0);
    await expectNothingLeft(family, description);

    const second = run(['--json'], env);
    const again = await second.ready();
    expect(again.accounts).toEqual(description.accounts);
    expect(again.payments).toEqual(description.payments);
    const { token: newToken } = await logIn(again, 'retail');
    expect(await notifications(again.gateways[0] ?? '', newToken)).toEqual(before);
    const { token: salesAgain } = await logIn(again, 'sales');
    expect(await firstOrdersAt(again.gateways[0] ?? '', salesAgain)).toEqual(orders);
    expect(await shop(patientClientOf(again.gateways[0] ?? ''))).toEqual(products);
    // The first start may have been ended while it made them.
    await eventually(
      async () => {
        const states = (await ordersAt(again.gateways[0] ?? '', salesAgain)).map(({ stands }) => stands.split(' ')[1]);
        if (!isProof) return states.length > orders.length;
        return lasting.every((state) => states.filter((each) => each === state).length >= 10);
      },
      isProof ? 'ten orders in each state' : 'an order more',
      300_000,
    );

    const command = async (script: string, ...args: string[]) => {
      const { MONGODB_URL: _mongodb, AMQP_URL: _amqp, ...inherited } = process.env;
      const words = ['bootstrap.mjs', script, ...args];
      return (await promisify(execFile)('node', words, { env: { ...inherited, DATA_DIR: dataDir } })).stdout;
    };
    const staff = await command('services/identity/src/cli.ts', 'staff', 'list');
    for (const role of ['admin', 'catalog', 'marketing', 'sales', 'support'])
      expect(staff).toMatch(new RegExp(String.raw`^${role}@example\.com {2}${role} {2}enabled`, 'm'));
    expect(await command('operations/src/main.ts', 'dead-letters', 'list')).toBe('There are none.\n');
    expect(await command('operations/src/main.ts', 'topology')).toContain('present');
    expect(await command('operations/src/main.ts', 'backup', backup, '--events=0')).toContain(`${backup}: `);

    const orphans = familyOf(second.pid);
    second.kill('SIGKILL');
    expect(await second.exited).toBe('SIGKILL');
    await expectNothingLeft(orphans, again);
  });

  // On the servers that the run shares.
  it('starts from a backup that a command has written, and not where somebody is already, but for --force', async () => {
    const vhost = await freshVhost('start');
    onTestFinished(() => vhost.drop());
    const elsewhere = { DATA_DIR: dataDir, MONGODB_URL: serverWithPrefix('backup'), AMQP_URL: vhost.url };
    const connection = await mongoose
      .createConnection(databaseUrl(elsewhere.MONGODB_URL, 'storefront_identity'))
      .asPromise();
    onTestFinished(() => connection.close());
    const somebody = { email: 'somebody@example.com' };
    await connection.collection('users').insertOne({ ...somebody });
    const refused = run(['--json', '--empty', '--restore', backup], elsewhere);
    expect(await refused.exited).toBe(1);
    expect(refused.stderr()).toMatch(
      /could not be restored: The system is not empty: .+ --force deletes all of it first\.\n$/,
    );
    expect(await connection.collection('users').countDocuments()).toBe(1);
    const restored = run(['--json', '--empty', '--restore', backup, '--force'], elsewhere);
    const third = await restored.ready();
    expect(third.accounts).toEqual({ admin: accounts.admin });
    expect((await logIn({ ...third, accounts }, 'sales')).role).toBe('sales');
    expect(await connection.collection('users').countDocuments(somebody)).toBe(0);
    restored.kill('SIGTERM');
    expect(await restored.exited).toBe(0);
  });

  it('makes no demo data with --empty, and needs no RabbitMQ with --bus in-process', async () => {
    const env = { DATA_DIR: await freshDataDir(), MONGODB_URL: serverWithPrefix('empty') };
    const started = run(['--json', '--empty', '--bus', 'in-process'], { ...env, ADMIN_EMAIL: 'me@example.com' });
    const description = await started.ready();
    expect(Object.keys(description.accounts)).toEqual(['admin']);
    expect(description.accounts.admin?.email).toBe('me@example.com');
    expect(description.backing.broker).toBe('in-process');
    expect((await logIn(description, 'admin')).role).toBe('admin');
    started.kill('SIGTERM');
    expect(await started.exited).toBe(0);
  });

  it('leaves nothing behind when it is signalled to end while it starts', async () => {
    const started = run(['--json'], { DATA_DIR: await freshDataDir() });
    await eventually(
      () => familyOf(started.pid).some(({ command }) => command.includes('mongod')),
      'mongod to start',
      60_000,
    );
    const family = familyOf(started.pid);
    started.kill('SIGINT');
    expect(await started.exited).toBe(0);
    await expectNothingLeft(family, {
      gateways: [],
      mailbox: 'http://127.0.0.1:9',
      payments: { demo: {} },
    } as unknown as Description);
    expect(started.stdout()).toBe('');
  });
});

describe('npm start -- --help', () => {
  it('says nothing on standard output, not even in the words of npm', async () => {
    const { stdout, stderr } = await promisify(execFile)('npm', ['start', '--', '--help']);
    expect(stdout).toBe('');
    expect(stderr).toContain('--gateways N');
  });
});

describe('a start that can not be', () => {
  it('names the port that is in use and what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const started = run(['--json'], { DATA_DIR: await freshDataDir(), PORT: String(port) });
    expect(await started.exited).toBe(1);
    server.close();
    expect(started.stderr().trim()).toBe(
      `Port ${port} is in use: end what listens there, or choose another port, as in PORT=${port + 1} npm start (PORT=0 takes any free one).`,
    );
    expect(started.stdout()).toBe('');
  });

  it('explains an option that it does not know', async () => {
    const started = run(['--jsno'], { DATA_DIR: await freshDataDir() });
    expect(await started.exited).toBe(2);
    expect(started.stderr()).toMatch(/^Unknown option '--jsno'\.\n\nnpm start -- \[options\]/);
  });

  it('names every variable that a service can not use', async () => {
    const env = { DATA_DIR: await freshDataDir(), MONGODB_URL: serverWithPrefix('wrong') };
    const started = run(['--bus', 'in-process'], { ...env, PASSWORD_MIN_LENGTH: 'seven', ACCESS_TOKEN_SECONDS: '1' });
    expect(await started.exited).toBe(1);
    expect(started.stderr()).toContain('identity: The configuration is not valid:\n');
    expect(started.stderr()).toMatch(/ {2}PASSWORD_MIN_LENGTH: /);
    expect(started.stderr()).toMatch(/ {2}ACCESS_TOKEN_SECONDS: /);
    expect(started.stderr()).not.toMatch(/^ +at /m);
  });
});
