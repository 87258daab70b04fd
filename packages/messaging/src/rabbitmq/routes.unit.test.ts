import { eventually, memoryLogger } from '@storefront/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createRoutes, type Routes } from './routes.ts';
import type { Channels } from './with-channel.ts';

const topology = ['a', 'b', 'c'].map((name) => ({ queue: `${name}.on-all`, types: ['all', name] }));
type Answer = 'accepted' | 'missing' | 'refused' | 'forbidden' | 'lost' | 'none';
const codes: Partial<Record<Answer, number>> = { missing: 404, refused: 406, forbidden: 403 };

/**
 * Routes on a broker that answers a binding as `answers` says by its queue; `bound` has the queues of all bindings, and
 * `boundAt` their times. A passive declaration finds the queue of `c` alone.
 */
function routesOn(answers: Record<string, Answer>) {
  const bound: string[] = [];
  const boundAt: number[] = [];
  const { logger, lines } = memoryLogger();
  const bindQueue = async (queue: string) => {
    bound.push(queue);
    boundAt.push(performance.now());
    const answer = answers[queue] ?? 'accepted';
    if (answer === 'none') await new Promise(() => {});
    if (answer === 'lost') throw new Error('Channel ended');
    if (answer !== 'accepted') throw Object.assign(new Error(answer), { code: codes[answer] });
  };
  const checkQueue = async (queue: string) => {
    if (queue !== 'c.on-all') throw Object.assign(new Error('missing'), { code: 404 });
  };
  const channel = { on: () => channel, close: async () => {}, bindQueue, checkQueue };
  const routes = createRoutes({ channel: async () => channel } as unknown as Channels, topology, logger);
  onTestFinished(() => routes.close());
  return { routes, bound, boundAt, lines };
}

const faults = (routes: Routes) => ['a', 'b', 'c', 'all', 'other'].map((type) => routes.faultFor(type));

test('a queue that was not looked for yet counts as missing', async () => {
  const { routes, bound } = routesOn({ 'b.on-all': 'none' });
  const unchecked = (queue: string) => `the queue ${queue} has not been looked for yet`;
  expect(faults(routes)).toEqual([...['a.on-all', 'b.on-all', 'c.on-all', 'a.on-all'].map(unchecked), undefined]);
  void routes.check();
  await eventually(() => bound.includes('b.on-all'), 'the second queue to be looked for');
  expect(faults(routes)).toEqual([undefined, ...['b.on-all', 'c.on-all', 'b.on-all'].map(unchecked), undefined]);
});

test('a binding that is refused keeps none of the others from being made, and is tried again', async () => {
  const answers: Record<string, Answer> = { 'a.on-all': 'refused', 'b.on-all': 'missing' };
  const { routes, lines } = routesOn(answers);
  await routes.check();
  expect([routes.faultFor('a'), routes.faultFor('b'), routes.faultFor('c')]).toEqual([
    'the queue a.on-all can not be bound: refused',
    'the queue b.on-all is missing',
    undefined,
  ]);
  expect(lines.join()).toContain('a.on-all can not be bound: refused, b.on-all is missing');
  answers['a.on-all'] = answers['b.on-all'] = 'accepted';
  await eventually(() => routes.missing().length === 0, 'both queues to be found');
  expect(faults(routes)).toEqual(Array.from({ length: 5 }));
});

test('where the user may bind nothing, the queues that are there count as bound', async () => {
  const { routes, bound } = routesOn({ 'a.on-all': 'accepted', 'b.on-all': 'forbidden', 'c.on-all': 'forbidden' });
  await routes.check();
  expect(routes.missing()).toEqual(['b.on-all']);
  expect(routes.faultFor('b')).toBe('the queue b.on-all is missing');
  expect(bound).toEqual(['a.on-all', 'a.on-all', 'b.on-all']);
});

test('a look that fails is made again, for the queues that are left', async () => {
  const answers: Record<string, Answer> = { 'b.on-all': 'lost' };
  const { routes, bound } = routesOn(answers);
  await routes.check();
  expect(routes.missing()).toEqual(['b.on-all', 'c.on-all']);
  answers['b.on-all'] = 'accepted';
  await eventually(() => routes.missing().length === 0, 'all queues to be found');
  expect(bound.filter((queue) => queue === 'a.on-all')).toHaveLength(2);
});

test('while a queue is missing, it is looked for less and less often, and no other one', async () => {
  const { routes, bound, boundAt } = routesOn({ 'b.on-all': 'missing' });
  const looks = () => boundAt.filter((_, index) => bound[index] === 'b.on-all');
  await routes.check();
  await eventually(() => looks().length === 4, 'three more looks');
  expect(bound.filter((queue) => queue !== 'b.on-all')).toHaveLength(4);
  const [, second = 0, third = 0, fourth = 0] = looks();
  expect(third - second).toBeGreaterThan(990);
  expect(fourth - third).toBeGreaterThan(1990);
  // Sooner than the next look, which is due in 4 s.
  routes.declared('b.on-all');
  await eventually(() => looks().length === 5, 'a look at once', 3000);
});

test('all queues are looked for again when somebody asks', async () => {
  const { routes, bound } = routesOn({});
  await routes.check();
  await Promise.all([routes.check(), routes.check()]);
  expect(bound).toHaveLength(12);
  expect(routes.missing()).toEqual([]);
});
