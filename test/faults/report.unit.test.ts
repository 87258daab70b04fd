import { expect, test } from 'vitest';
import { formatReport, isGood } from './report.ts';

const mails = {
  arrived: 9,
  distinct: 9,
  repeated: 0,
  again: [],
  afterKill: [],
  unexplained: 0,
  missing: 0,
  unknown: 0,
};
const complete = { lost: 0, duplicated: 0, stuck: 0, mails, facts: [] };

test('a run without the planned faults on a primary is not good', () => {
  const primaryFaults = (found: number) => ({ what: 'faults on the mongodb-primary', found, atLeast: 2 });
  expect(isGood({ ...complete, facts: [primaryFaults(2)] })).toBe(true);
  expect(isGood({ ...complete, facts: [primaryFaults(0)] })).toBe(false);
});

test('each kill of engagement may repeat one mail, and nothing else may repeat any', () => {
  const repeated = (count: { afterKill: number[]; unexplained: number }) =>
    isGood({ ...complete, mails: { ...mails, ...count } });
  expect(repeated({ afterKill: [0, 1], unexplained: 0 })).toBe(true);
  expect(repeated({ afterKill: [0, 2], unexplained: 0 })).toBe(false);
  expect(repeated({ afterKill: [0, 0], unexplained: 1 })).toBe(false);
});

test('says which faults could not be injected here', () => {
  const report = {
    ...complete,
    seed: 7,
    operations: 9,
    faults: 2,
    acknowledged: 9,
    ok: 9,
    findings: [],
    kills: {},
    left: {} as never,
    drainedInMs: 5,
    calls: { tries: 9, unanswered: 0, serverErrors: 0 },
    seconds: 1,
    isGood: true,
  };
  const withFaults = (notTested: string[]) => formatReport({ ...report, notTested }, 'npm run faults');
  expect(withFaults(['full disks', 'loss of the majority'])).toContain(
    'not tested here: full disks, loss of the majority',
  );
  expect(withFaults([])).not.toContain('not tested');
});
