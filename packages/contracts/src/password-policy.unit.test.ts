import { describe, expect, it } from 'vitest';
import { passwordErrors } from './password-policy.ts';

const rules = { minLength: 8, isCommon: (password: string) => password === 'password1' };
const ada = { email: 'ada.byron@engines.co.uk', firstName: 'Ada', lastName: 'Lovelace', businessName: 'Mill & Sons' };

function refusals(password: string): string[] {
  return passwordErrors('/password', password, ada, rules).map(({ code }) => code);
}

describe('a new password', () => {
  it.each(['a quiet lake in the morning', 'zwölf Äpfel 🍏', 'adam eats plums'])('may be %j', (password) => {
    expect(refusals(password)).toEqual([]);
  });

  it.each([
    ['seven77', ['password_too_short']],
    ['password1', ['password_too_common']],
    ['I am Lovelace', ['password_contains_personal']],
    ['xx-LOVE-lace-xx', ['password_contains_personal']],
    ['xx adabyron xx', ['password_contains_personal']],
    ['my engines run', ['password_contains_personal']],
    ['millsons 1834', ['password_contains_personal']],
    ['byron@', ['password_too_short']],
  ])('%j is refused as %j', (password, codes) => {
    expect(refusals(password)).toEqual(codes);
  });

  it('is counted in characters, not in bytes', () => {
    expect(refusals('🍏🍎🍐🍊🍋🍌🍉🍇')).toEqual([]);
    expect(refusals('🍏🍎🍐🍊🍋🍌🍉')).toEqual(['password_too_short']);
  });
});
