import { expect, test } from 'vitest';
import { repeatsWithinBounds, tell } from './report.ts';
import { runScenarios } from './scenarios/index.ts';

const seed = 7;
const say = (line: string) => void process.stderr.write(`${line}\n`);

test('killed or absent services, broker and database, and poison', { timeout: 300_000 }, async () => {
  const names = ['broker-kill', 'service-kill', 'broker-away', 'database-away', 'poison'] as const;
  const report = await runScenarios(names, { seed, users: 16, gateways: 2, cluster: false, full: false, say });
  // The figures in milliseconds are the rig's to show, on a machine that does nothing else.
  const { lost, duplicated, stuck, mails } = report;
  say(tell(report, 'npm run faults -- --scenario …'));
  expect({ lost, duplicated, stuck, missing: mails.missing }).toEqual({
    lost: 0,
    duplicated: 0,
    stuck: 0,
    missing: 0,
  });
  expect(repeatsWithinBounds(mails), 'mails came again beyond what engagement had in hand').toBe(true);
  const counted = report.facts.filter(({ what, atMost }) => atMost === 0 && !what.startsWith('ms '));
  expect(counted.filter(({ found }) => found !== 0)).toEqual([]);
});
