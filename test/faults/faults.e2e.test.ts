import { expect, test } from 'vitest';
import { commandOf, readOptions } from './options.ts';
import { tell } from './report.ts';
import { runMix } from './run.ts';

// What goes wrong here can be played again, larger and with other seeds, by `npm run faults`.
const seed = 7;
const say = (line: string) => void process.stderr.write(`${line}\n`);

test('2,000 operations under 20 faults: nothing lost, nothing twice, nothing stuck', { timeout: 900_000 }, async () => {
  const options = readOptions(['--operations', '2000', '--faults', '20', '--seed', String(seed)], () => seed);
  const report = await runMix({ ...options, say });
  say(tell(report, commandOf(options)));
  expect(report).toMatchObject({
    lost: 0,
    duplicated: 0,
    stuck: 0,
    isGood: true,
    ok: report.acknowledged,
  });
  expect(report.acknowledged).toBeGreaterThan(1000);
  expect(report.faults).toBe(20);
});
