import { expect, test } from 'vitest';
import { notificationToSend } from './deliveries.ts';

const takes = (html: string) =>
  notificationToSend.safeParse({ channel: 'EMAIL', email: 'ada@example.com', html }).success;

test('a mail may be as long as mail programs show, with as many tags and entities as are written in a moment', () => {
  expect(takes(`${'<p>Tea &amp; cake</p>'.repeat(1200)}${'x'.repeat(60_000)}`)).toBe(true);
  expect(takes('x'.repeat(100_000))).toBe(true);
  expect(takes('x'.repeat(100_001))).toBe(false);
});

test.each(['<', '>', '&', '<b', '&amp;', '-->'])('a mail may not hold %s more than 6,000 times', (sign) => {
  expect(takes(sign.repeat(6000))).toBe(true);
  expect(takes(sign.repeat(6001))).toBe(false);
});
