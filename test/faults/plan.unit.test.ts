import { expect, test } from 'vitest';
import { planFaults } from './plan.ts';

const targets = { processes: ['identity', 'rabbitmq'], networks: ['rabbitmq'], roles: [] };
const plan = (seed: number) => planFaults(seed, { operations: 1000, faults: 25, targets });

test('the same seed plans the same faults at the same moments', () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(7)).not.toEqual(plan(8));
});

test('every kind of fault on every target comes before any is repeated', () => {
  const first = plan(7)
    .slice(0, 10)
    .map(({ fault }) => `${fault.kind} ${fault.target}`);
  expect(new Set(first).size).toBe(10);
});

test('the faults are spread over the run, in order', () => {
  const moments = plan(7).map(({ after }) => after);
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  expect(moments.at(0)).toBeGreaterThanOrEqual(30);
  expect(moments.at(-1)).toBeLessThanOrEqual(950);
});

test('the roles of a cluster get additional faults of every kind', () => {
  const clustered = { ...targets, roles: ['mongodb-primary', 'rabbitmq-leader'] };
  const roleFaults = planFaults(7, { operations: 1000, faults: 25, targets: clustered })
    .map(({ fault }) => fault)
    .filter(({ target }) => clustered.roles.includes(target));
  expect(roleFaults).toHaveLength(7);
  expect(new Set(roleFaults.slice(0, 4).map(({ kind, target }) => `${kind} ${target}`))).toEqual(
    new Set(['kill mongodb-primary', 'pause mongodb-primary', 'kill rabbitmq-leader', 'pause rabbitmq-leader']),
  );
});
