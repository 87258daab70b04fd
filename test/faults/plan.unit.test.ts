import { expect, test } from 'vitest';
import { missingFaults, planFaults } from './plan.ts';

const targets = {
  processes: ['identity-1', 'rabbitmq'],
  clocks: ['identity-1'],
  networks: ['rabbitmq'],
  links: ['identity-1 to rabbitmq', 'identity-2 to rabbitmq', 'identity-1 to mongodb'],
  disks: ['rabbitmq'],
  brokers: ['rabbitmq'],
  clusters: ['mongodb'],
  roles: [],
};
const kindsOnTargets = 22;
const plan = (seed: number, faults = 25) => planFaults(seed, { operations: 1000, faults, targets, short: false });

test('the same seed plans the same faults at the same moments', () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(7)).not.toEqual(plan(8));
});

test('every kind of fault on every target comes before any is repeated, on one link of each network', () => {
  const first = plan(7, kindsOnTargets).map(({ fault }) =>
    `${fault.kind} ${fault.target}`.replace(/identity-\d to/, 'a link to'),
  );
  expect(first.toSorted()).toEqual([
    'black-hole a link to rabbitmq',
    'black-hole rabbitmq',
    'clock identity-1',
    'disk-alarm rabbitmq',
    'full-disk rabbitmq',
    'hold a link to rabbitmq',
    'hold rabbitmq',
    'jitter rabbitmq',
    'kill identity-1',
    'kill rabbitmq',
    'latency rabbitmq',
    'majority-outage mongodb',
    'majority-pause mongodb',
    'memory-alarm rabbitmq',
    'old-events events',
    'old-events events',
    'pause identity-1',
    'pause rabbitmq',
    'reset a link to rabbitmq',
    'reset rabbitmq',
    'restart identity-1',
    'restart rabbitmq',
  ]);
});

test('a run of a few faults has every kind of them', () => {
  const kinds = new Set(plan(7, 500).map(({ fault }) => fault.kind));
  for (let seed = 0; seed < 20; seed += 1)
    expect(new Set(plan(seed, kinds.size).map(({ fault }) => fault.kind))).toEqual(kinds);
});

test('processes stand still for 5 to 60 s, and for 5 s at most in a short run', () => {
  const pauses = (short: boolean) =>
    planFaults(7, { operations: 1000, faults: 500, targets, short }).flatMap(({ fault }) =>
      fault.kind === 'pause' ? [fault.ms] : [],
    );
  expect(Math.min(...pauses(false))).toBeGreaterThanOrEqual(5000);
  expect(Math.max(...pauses(false))).toBeGreaterThan(30_000);
  expect(Math.max(...pauses(true))).toBeLessThanOrEqual(5000);
});

test('clocks jump by up to 10 s in both directions', () => {
  const shifts = plan(7, 500).flatMap(({ fault }) => (fault.kind === 'clock' ? [fault.shiftMs] : []));
  expect(Math.min(...shifts)).toBeLessThan(-5000);
  expect(Math.max(...shifts)).toBeGreaterThan(5000);
  expect(shifts.every((shift) => Math.abs(shift) <= 10_000)).toBe(true);
});

test('the faults are spread over the run, in order', () => {
  const moments = plan(7).map(({ after }) => after);
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  expect(moments.at(0)).toBeGreaterThanOrEqual(30);
  expect(moments.at(-1)).toBeLessThanOrEqual(950);
});

test('the roles of a cluster get additional faults of every kind', () => {
  const clustered = { ...targets, roles: ['mongodb-primary', 'rabbitmq-leader'] };
  const roleFaults = planFaults(7, { operations: 1000, faults: 25, targets: clustered, short: false })
    .map(({ fault }) => fault)
    .filter(({ target }) => clustered.roles.includes(target));
  expect(roleFaults).toHaveLength(7);
  expect(new Set(roleFaults.slice(0, 4).map(({ kind, target }) => `${kind} ${target}`))).toEqual(
    new Set(['kill mongodb-primary', 'pause mongodb-primary', 'kill rabbitmq-leader', 'pause rabbitmq-leader']),
  );
});

test('the faults without a target are named', () => {
  expect(missingFaults({ ...targets, networks: ['mongodb', 'rabbitmq'] })).toEqual([]);
  expect(missingFaults({ ...targets, disks: [], clusters: [] })).toEqual([
    'full disks',
    'disturbed networks to MongoDB',
    'loss of the majority',
  ]);
});
