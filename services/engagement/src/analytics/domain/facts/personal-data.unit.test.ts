import { describe, expect, it } from 'vitest';
import { holdsPersonalData, namesPerson } from './personal-data.ts';

const cards = ['4111 1111 1111 1111', '4111-1111-1111-1111', 'card 378282246310005', '6011000990139424 tea'];
const phones = [
  '+49 30 1234567',
  'call (030) 123 456 78',
  '0151/23456789',
  '+1-202-555-0123',
  '０１５１２３４５６７８',
];
const emails = ['ada@example.com', 'to Ada <ada@example.com>', 'ａｄａ＠example.com'];
const harmless = ['green tea', 'mug 350 ml', '2 for 1', 'iso 9001', '12-24 cups', 'size 38/40', '1984', '3 x 250 g'];

describe('a text that a person writes', () => {
  it.each([...cards, ...phones, ...emails])('holds personal data: %s', (text) => {
    expect(holdsPersonalData(text)).toBe(true);
  });

  it.each(harmless)('holds none: %s', (text) => {
    expect(holdsPersonalData(text)).toBe(false);
  });
});

describe('a text that a program writes', () => {
  it.each([...cards, '+49 30 1234567', ...emails])('names a person: %s', (text) => {
    expect(namesPerson(text)).toBe(true);
  });

  it.each([...harmless, '20261123000017', '4111111111111112', '2026-11-23T09:30:00.000Z'])('names none: %s', (text) => {
    expect(namesPerson(text)).toBe(false);
  });
});
