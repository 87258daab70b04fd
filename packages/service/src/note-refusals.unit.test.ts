import { auditEvents, type Fact } from '@storefront/contracts';
import { memoryLogger } from '@storefront/testing';
import { expect, it } from 'vitest';
import { noteRefusals } from './note-refusals.ts';

function noted() {
  const facts: Fact<any>[] = [];
  const auditNotes = { add: async (fact: Fact) => void facts.push(fact) };
  const refusals = noteRefusals({ contract: auditEvents.catalog, auditNotes, logger: memoryLogger().logger });
  const refuse = (userId: string, operation = 'POST /v1/products') =>
    refusals.note({ actor: { userId, role: 'retail', ip: null, device: null }, operation, reason: 'role_required' });
  return { facts, refuse, endMinute: () => refusals.endMinute() };
}

it('notes the first refusal of a user and operation at once, and the others of the minute in one', async () => {
  const { facts, refuse, endMinute } = noted();
  for (let round = 0; round < 500; round += 1) refuse('user_1');
  refuse('user_2');
  expect(facts.map(({ data }) => [data.actor.userId, data.action, data.details.attempts])).toEqual([
    ['user_1', 'access-refused', 1],
    ['user_2', 'access-refused', 1],
  ]);
  await endMinute();
  await endMinute();
  expect(facts.slice(2).map(({ data }) => [data.actor.userId, data.reason, data.details.attempts])).toEqual([
    ['user_1', 'role_required', 499],
  ]);
  refuse('user_1');
  expect(facts).toHaveLength(4);
});

it('notes at most 20 operations of a user and 1,000 of all in a minute', async () => {
  const { facts, refuse, endMinute } = noted();
  for (let operation = 0; operation < 50; operation += 1) refuse('user_0', `GET /v1/${operation}`);
  expect(facts).toHaveLength(20);
  for (let user = 1; user < 2000; user += 1) refuse(`user_${user}`);
  expect(facts).toHaveLength(1000);
  await endMinute();
  refuse('user_1999');
  expect(facts).toHaveLength(1001);
});
