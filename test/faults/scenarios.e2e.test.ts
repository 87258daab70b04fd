import { expect, test } from 'vitest';
import { formatReport, withoutTimes } from './report.ts';
import { runScenarios } from './scenarios/index.ts';

const seed = 7;
const say = (line: string) => void process.stderr.write(`${line}\n`);

// Kills are part of the mix in faults.e2e.test.ts; those scenarios, and all at their full size, are in `npm run proof`.
test('outages of broker and database, and poison messages', { timeout: 900_000 }, async () => {
  const names = ['broker-away', 'database-away', 'poison'] as const;
  const report = withoutTimes(
    await runScenarios(names, { seed, users: 8, gateways: 2, instances: 1, cluster: false, full: false, say }),
  );
  say(formatReport(report, 'npm run faults -- --scenario …'));
  expect(report).toMatchObject({ lost: 0, duplicated: 0, stuck: 0, isGood: true });
});
