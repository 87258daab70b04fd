import { expect, test } from 'vitest';
import { commandOf, readOptions } from './options.ts';
import { formatReport } from './report.ts';
import { neverAcknowledged, runMix } from './run.ts';

// Every kind of fault once. `npm run faults` repeats this run, also with other seeds, more operations and faults, and two
// instances of every service: these take more than two cores in the time that all tests have.
const seed = 7;
const say = (line: string) => void process.stderr.write(`${line}\n`);

test('400 operations under 14 faults: nothing lost, duplicated or stuck', { timeout: 900_000 }, async () => {
  const options = readOptions(
    ['--operations', '400', '--faults', '14', '--users', '8', '--instances', '1', '--short', '--seed', String(seed)],
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
  expect(report.acknowledged).toBeGreaterThan(200);
  expect(report.facts).toContainEqual({ what: neverAcknowledged, found: 0 });
  expect(report.faults).toBe(14);
});
