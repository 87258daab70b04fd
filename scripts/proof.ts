// `npm run proof`: the proofs that take too long for `npm test`, one after the other, or those whose names are given. Most of those of
// tests also run at a small size in `npm test`, and so does the mix of faults. All of it takes hours on two cores, with nothing
// else to do on the machine.
import { spawnSync } from 'node:child_process';

interface Proof {
  /** Adds to the environment: what makes a test long. */
  readonly env?: Readonly<Record<string, string>>;
  readonly script: string;
  readonly args: readonly string[];
}

const tests = (...args: string[]) => ({ script: 'scripts/test.ts', args });
const faults = (...args: string[]) => ({ script: 'test/faults/main.ts', args });
const mix = ['--operations', '10000', '--faults', '100'];
const scenarios = [
  'broker-kill',
  'service-kill',
  'broker-away',
  'database-away',
  'poison',
  'mail-poison',
  'mail-doubt',
  'last-pieces',
];

const proofs: Readonly<Record<string, Proof>> = {
  properties: { env: { PROPERTY_RUNS: '10000' }, ...tests('--project', 'unit') },
  takeovers: { env: { TAKEOVERS: '100' }, ...tests('thief-and-owner.int', 'two-parties.int') },
  enumeration: { env: { ENUMERATION: 'whole' }, ...tests('attacks/enumeration') },
  cost: { env: { COST_HEAPS: 'all' }, ...tests('attacks/refused', '-t', 'cost') },
  overload: { env: { OVERLOAD_SECONDS: '20' }, ...tests('test/overload') },
  storm: { env: { STORM_CALLBACKS: '1000', KILLS: 'all' }, ...tests('callbacks-storm') },
  kills: { env: { KILLS: 'all' }, ...tests('reminders.int', 'announcements.int', 'crash-points') },
  reports: { env: { REPORT_EVENTS: '10000' }, ...tests('test/analytics/reports') },
  search: { env: { SEARCH_PRODUCTS: '5000' }, ...tests('product-index.unit') },
  queries: {
    env: { QUERY_DOCUMENTS: '100000' },
    ...tests('queries.int', 'campaign-indexes.int', 'redemption-indexes.int'),
  },
  disk: { env: { FULL_DISK: 'yes' }, ...tests('test/start-separate') },
  restarts: { env: { RESTARTED: 'all' }, ...tests('test/separate.e2e', '-t', 'restarts') },
  logout: { env: { LOGOUT_USERS: '100' }, ...tests('test/separate.e2e', '-t', 'log out') },
  demo: { env: { DEMO_ORDERS: 'all' }, ...tests('test/start.e2e', '-t', 'finds its data again') },
  checkouts: { env: { CHECKOUT_BUSES: 'all' }, ...tests('test/checkout.e2e') },
  revocations: { env: { REVOCATION_RUNS: '200' }, ...tests('test/revocations.e2e') },
  browsers: {
    env: { BROWSER_VIEWS: 'all' },
    ...tests('console.e2e', 'console/test/ways', 'storefront/shop'),
  },
  faults: faults(...mix, '--seed', '7'),
  cluster: faults(...mix, '--seed', '13', '--cluster'),
  ...Object.fromEntries(scenarios.map((name) => [name, faults('--scenario', name, '--full', '--seed', '7')])),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in proofs));
if (unknown.length > 0) {
  process.stderr.write(`There is no proof ${unknown.join(', ')}. There are: ${Object.keys(proofs).join(', ')}.\n`);
  process.exit(2);
}

const results = Object.entries(proofs)
  .filter(([name]) => wanted.length === 0 || wanted.includes(name))
  .map(([name, { env, script, args }]) => {
    process.stderr.write(`\nProof ${name} …\n`);
    const began = performance.now();
    const { status } = spawnSync(process.execPath, [...process.execArgv, script, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      // A test that is made ten to fifty times as long may also take so much longer.
      env: { ...process.env, TEST_PATIENCE: '50', ...env },
    });
    return { name, holds: status === 0, minutes: (performance.now() - began) / 60_000 };
  });

for (const { name, holds, minutes } of results)
  process.stdout.write(`${holds ? 'holds' : 'FAILS'}  ${name.padEnd(14)} ${minutes.toFixed(1)} min\n`);
const failed = results.filter(({ holds }) => !holds).length;
process.stdout.write(`${results.length - failed} proofs hold, ${failed} fail\n`);
process.exit(failed > 0 ? 1 : 0);
