// `npm run proof`: the proofs that take too long for `npm test`, one after the other, or those whose names are given. Most of those of
// tests also run at a small size in `npm test`, and so does the mix of faults. All of it takes hours on two cores, with nothing
// else to do on the machine.
import { spawnSync } from 'node:child_process';

interface Proof {
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
  properties: tests('--project', 'unit'),
  takeovers: tests('thief-and-owner.int', 'two-parties.int'),
  enumeration: tests('attacks/enumeration'),
  cost: tests('attacks/refused', '-t', 'cost'),
  overload: tests('test/overload'),
  storm: tests('callbacks-storm'),
  kills: tests('reminders.int', 'announcements.int', 'crash-points'),
  reports: tests('test/analytics/reports'),
  queries: tests('queries.int', 'campaign-indexes.int', 'redemption-indexes.int'),
  disk: tests('test/full-disk'),
  restarts: tests('test/separate.e2e', '-t', 'restarts'),
  logout: tests('test/separate.e2e', '-t', 'log out'),
  demo: tests('test/start.e2e', '-t', 'finds its data again'),
  checkouts: tests('test/checkout.e2e'),
  revocations: tests('test/revocations.e2e'),
  browsers: tests('console.e2e', 'console/test/ways', 'storefront/shop'),
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
  .map(([name, { script, args }]) => {
    process.stderr.write(`\nProof ${name} …\n`);
    const began = performance.now();
    const { status } = spawnSync(process.execPath, [...process.execArgv, script, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      // The tests are long then (`isProof` in vitest.config.ts).
      env: { ...process.env, PROOF: 'yes' },
    });
    return { name, holds: status === 0, minutes: (performance.now() - began) / 60_000 };
  });

for (const { name, holds, minutes } of results)
  process.stdout.write(`${holds ? 'holds' : 'FAILS'}  ${name.padEnd(14)} ${minutes.toFixed(1)} min\n`);
const failed = results.filter(({ holds }) => !holds).length;
process.stdout.write(`${results.length - failed} proofs hold, ${failed} fail\n`);
process.exit(failed > 0 ? 1 : 0);
