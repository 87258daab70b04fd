import { anonymous, eventually, principal, type Answer } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import { addCampaign, addProduct } from './offers.ts';

let service: Engagement;
let mug: string;
beforeAll(async () => {
  service = await startEngagement({ instances: 2 });
  mug = await addProduct(service, { price: 1000 });
  await addCampaign(service, { codes: { RIGHT: null } });
});
afterAll(() => service.close());

type Who = Parameters<Engagement['request']>[0];
let tries = 0;
const wrong = () => `WRONG-${(tries += 1)}`;

function tryCodes(codes: readonly string[], who: Who, address: string, path = 'evaluate', index = 0) {
  const cart = { lines: [{ productId: mug, quantity: 1 }], codes };
  const body = path === 'evaluate' ? cart : { orderRef: `order-${(tries += 1)}`, hold: { seconds: 60 }, ...cart };
  return service.request(who, 'POST', `/v1/discounts/${path}`, body, { 'x-client-ip': address }, index % 2);
}

const tooMany = (answer: Answer) => answer.status === 429 && answer.body.code === 'too_many_unknown_codes';

describe('codes that do not exist', () => {
  it('are reported exactly as often as a user may try, however many are tried at once; then nothing is reported', () =>
    service.atOneMoment(async () => {
      const guesser = principal('retail');
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, index) => tryCodes([wrong()], guesser, '192.0.2.1', 'evaluate', index)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
      expect(answers.filter(tooMany)).toHaveLength(980);
      const right = await tryCodes(['RIGHT'], guesser, '192.0.2.1');
      expect(tooMany(right)).toBe(true);
      const wait = Number(right.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(900);
      expect(tooMany(await tryCodes(['RIGHT'], guesser, '192.0.2.1', 'redemptions'))).toBe(true);
      // Without codes nothing is guessed.
      expect((await tryCodes([], guesser, '192.0.2.1')).status).toBe(200);
    }));

  it('have a budget for each network of clients, whoever tries them', () =>
    service.atOneMoment(async () => {
      const address = (host: number) => `2001:db8:0:1::${host}`;
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          tryCodes(Array.from({ length: 10 }, wrong), anonymous, address(index + 1), 'evaluate', index),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
      expect(answers.filter(tooMany)).toHaveLength(10);
      expect(tooMany(await tryCodes(['RIGHT'], principal('retail'), address(99)))).toBe(true);
      expect((await tryCodes(['RIGHT'], principal('retail'), '2001:db8:0:2::1')).status).toBe(200);
    }));

  it('count where codes are redeemed too, and not for administrators', () =>
    service.atOneMoment(async () => {
      const guesser = principal('retail');
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => tryCodes([wrong()], guesser, '192.0.2.2', 'redemptions', index)),
      );
      expect(answers.filter(({ body }) => body.code === 'no_discount_applies')).toHaveLength(20);
      expect(answers.filter(tooMany)).toHaveLength(20);
      const admins = await Promise.all(
        Array.from({ length: 25 }, () => tryCodes([wrong()], service.people.admin, '192.0.2.2')),
      );
      expect(admins.map(({ status }) => status)).toEqual(admins.map(() => 200));
    }));
});

it('codes that exist cost nothing, and neither users nor addresses are stored as they are', () =>
  service.atOneMoment(async () => {
    const shopper = principal('retail');
    for (let index = 0; index < 30; index += 1)
      expect((await tryCodes(['RIGHT'], shopper, '198.51.100.7', 'evaluate', index)).status).toBe(200);
    const stored = JSON.stringify(await service.collection('code_guesses').find().toArray());
    for (const word of [shopper.sub, '198.51.100.7', 'RIGHT']) expect(stored).not.toContain(word);
    const underWay = { $expr: { $ne: ['$counted', '$unknown'] } };
    await eventually(
      async () => (await service.collection('code_guesses').countDocuments(underWay)) === 0,
      'nothing to be counted as being looked up',
    );
  }));
