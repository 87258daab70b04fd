import { defineEvent, fact, queue, toEvent, type Event } from '@storefront/contracts';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { on, subscription } from './subscription.ts';

const opened = defineEvent('shop.opened', 'A shop opened.', z.object({ city: z.string(), floors: z.int().default(1) }));
const closed = defineEvent('shop.closed', 'A shop closed.', z.object({}));
const burgled = defineEvent('shop.burgled', 'Something was stolen from a shop.', z.object({}));
const shopQueue = queue('map.on-shop-changed', [opened, closed]);
const context = { attempt: 3, signal: new AbortController().signal };
const at = { sequence: 1, time: new Date() };
const nothing = async () => {};

const eventOf = (data: unknown): Event => ({
  ...toEvent(fact(opened, 'shop_1', { city: 'Utrecht' }), at),
  data,
});

test('a handler gets the event with its data as the contract reads it, and the context of the delivery', async () => {
  const calls: unknown[] = [];
  const sent = eventOf({ city: 'Utrecht', unknown: true });
  await on(opened, async (...given) => void calls.push(given)).handle(sent, context);
  expect(calls).toEqual([[{ ...sent, data: { city: 'Utrecht', floors: 1 } }, context]]);
  on(opened, async ({ data }) => void expectTypeOf(data).toEqualTypeOf<{ city: string; floors: number }>());
});

test('a handler that returns nothing answers done; any other answer stays what it is', async () => {
  const sent = eventOf({ city: 'Utrecht' });
  expect(await on(opened, nothing).handle(sent, context)).toBe('done');
  expect(await on(opened, async () => 'later').handle(sent, context)).toBe('later');
  const answer = { outcome: 'reject', reason: 'no such city' } as const;
  expect(await on(opened, async () => answer).handle(sent, context)).toEqual(answer);
});

test('data that does not fit is rejected, with the wrong fields in the reason', async () => {
  const reaction = on(opened, () => Promise.reject(new Error('not called')));
  expect(await reaction.handle(eventOf({ floors: 'two' }), context)).toEqual({
    outcome: 'reject',
    reason: expect.stringMatching(/^data is not as shop\.opened has it: city: .+; floors: .+$/),
  });
  expect(await reaction.handle(eventOf(null), context)).toEqual({
    outcome: 'reject',
    reason: expect.stringMatching(/^data is not as shop\.opened has it: data: .+$/),
  });
});

test('a subscription is bound to all events of its queue and calls the reaction of each', async () => {
  const handled: string[] = [];
  const made = subscription(shopQueue, [
    on(opened, async () => void handled.push('opened')),
    on(closed, async () => void handled.push('closed')),
  ]);
  expect(made).toMatchObject({ queue: 'map.on-shop-changed', types: ['shop.opened', 'shop.closed'] });
  await made.handle(toEvent(fact(closed, 'shop_1', {}), at), context);
  expect(handled).toEqual(['closed']);
  expect(await made.handle(toEvent(fact(burgled, 'shop_1', {}), at), context)).toEqual({
    outcome: 'reject',
    reason: 'nothing is done about shop.burgled',
  });
});

test('a missing, superfluous or second reaction is refused, by the compiler where it can see it', () => {
  const refused = (reason: string) =>
    expect.objectContaining({ code: 'messaging_reactions_incomplete', message: reason });
  // @ts-expect-error closed has no reaction
  expect(() => subscription(shopQueue, [on(opened, nothing)])).toThrow(
    refused('The reactions of map.on-shop-changed have none for shop.closed.'),
  );
  // @ts-expect-error the queue does not take burgled
  expect(() => subscription(shopQueue, [on(opened, nothing), on(closed, nothing), on(burgled, nothing)])).toThrow(
    refused('The reactions of map.on-shop-changed have one for shop.burgled, which the queue does not take.'),
  );
  const atRunTime = [on(opened, nothing), on(closed, nothing)].filter(({ type }) => type === 'shop.opened');
  expect(() => subscription(shopQueue, [...atRunTime, ...atRunTime])).toThrow(
    refused('The reactions of map.on-shop-changed have none for shop.closed; a second one for shop.opened.'),
  );
});

test('data with a value that only a newer version lists is unknown, not rejected', async () => {
  const painted = defineEvent(
    'shop.painted',
    'A shop got another colour.',
    z.object({ colour: z.enum(['red', 'blue']) }),
  );
  const reaction = on(painted, () => Promise.reject(new Error('not called')));
  const sent = (colour: unknown) => ({ ...toEvent(fact(painted, 'shop_1', { colour: 'red' }), at), data: { colour } });
  expect(await reaction.handle(sent('green'), context)).toMatchObject({ outcome: 'unknown' });
  expect(await reaction.handle(sent(5), context)).toMatchObject({ outcome: 'reject' });
});
