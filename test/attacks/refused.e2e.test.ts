import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFixtures } from './matrix/fixtures.ts';
import { readOperations } from './matrix/operations.ts';
import type { Attacked } from './refused/attacked.ts';
import { testCost } from './refused/cost.ts';
import { testInput } from './refused/input.ts';
import { testServicePorts } from './refused/service-ports.ts';
import { startSystem, type System } from './system/system.ts';

// All of this is refused and must leave everything as it was, so it shares one system. On a busy machine that takes longer than a token
// lives by default.
let system: System;
let shared: Attacked;
beforeAll(async () => {
  system = await startSystem('refused', { ACCESS_TOKEN_SECONDS: '3600' });
  const fixtures = await makeFixtures(system);
  const operations = new Map((await readOperations(system)).map((operation) => [operation.spec.id, operation]));
  shared = { system, fixtures, operations };
});
afterAll(() => system?.close());

const attacked = () => shared;
describe('input', () => {
  testInput(attacked);
});
describe('service ports', () => {
  testServicePorts(attacked);
});
describe('cost', () => {
  testCost(attacked);
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
