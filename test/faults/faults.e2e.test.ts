import { expect, test } from 'vitest';
import { commandOf, readOptions } from './options.ts';
import { formatReport } from './report.ts';
import { neverAcknowledged, runMix } from './run.ts';

// `npm run faults` repeats this run, also with other seeds, more operations, and two instances of every service: these take
// more than two cores in the time that all tests have.
const seed = 7;
const say = (line: string) => void process.stderr.write(`${line}\n`);

test('1,000 operations under 20 faults: nothing lost, duplicated or stuck', { timeout: 900_000 }, async () => {
  const options = readOptions(
    ['--operations', '1000', '--faults', '20', '--instances', '1', '--short', '--seed', String(seed)],
    () => seed,
  );
  const report = await runMix({ ...options, say });
  say(formatReport(report, commandOf(options)));
  expect(report).toMatchObject({
    lost: 0,
    duplicated: 0,
    stuck: 0,
    isGood: true,
    ok: report.acknowledged,
  });
  expect(report.acknowledged).toBeGreaterThan(500);
  expect(report.facts).toContainEqual({ what: neverAcknowledged, found: 0 });
  expect(report.faults).toBe(20);
});
