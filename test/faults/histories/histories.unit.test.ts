import { describe, expect, test } from 'vitest';
import { checkLinearizable, type Call } from './linearizable.ts';
import { sessionModel, type SessionInput, type SessionOutput } from './session-model.ts';
import { stockModel, type StockInput, type StockOutput } from './stock-model.ts';

describe('the stock of a product', () => {
  type StockCall = Call<StockInput, StockOutput>;
  const move = (begin: number, end: number, change: number, output: StockOutput): StockCall => ({
    input: { kind: 'move', change },
    begin,
    end,
    output,
  });
  const unanswered = (begin: number, change: number): StockCall => ({
    input: { kind: 'move', change },
    begin,
    end: Infinity,
  });
  const read = (begin: number, end: number, output: number): StockCall => ({
    input: { kind: 'read' },
    begin,
    end,
    output,
  });
  const check = (...calls: StockCall[]) => checkLinearizable(stockModel(10), calls);

  test('may be moved one after the other, and at the same time in any order', () => {
    expect(check(move(0, 1, 5, 15), read(2, 3, 15), move(4, 5, -3, 12))).toBe('linearizable');
    expect(check(move(0, 9, 5, 12), move(1, 8, -3, 7), read(10, 11, 12))).toBe('linearizable');
    expect(check(move(0, 9, 5, 15), move(1, 8, -3, 7), read(10, 11, 12))).toBe('not-linearizable');
  });

  test('has lost a move', () => {
    expect(check(move(0, 1, 5, 15), move(2, 3, 2, 12))).toBe('not-linearizable');
    expect(check(move(0, 9, 5, 15), move(1, 8, 2, 12), read(10, 11, 12))).toBe('not-linearizable');
  });

  test('was moved twice by one call', () => {
    expect(check(move(0, 1, 5, 15), read(2, 3, 20))).toBe('not-linearizable');
    expect(check(unanswered(0, 5), read(2, 3, 15), read(4, 5, 20))).toBe('not-linearizable');
  });

  test('was read stale', () => {
    expect(check(move(0, 1, 5, 15), read(2, 3, 10))).toBe('not-linearizable');
    expect(check(move(0, 3, 5, 15), read(1, 2, 10))).toBe('linearizable');
    expect(check(read(0, 1, 15), unanswered(2, 5))).toBe('not-linearizable');
  });

  test('may have a move without an answer at any later time, or never', () => {
    expect(check(unanswered(0, 5), read(1, 2, 10), read(3, 4, 15))).toBe('linearizable');
    expect(check(unanswered(0, 5), read(1, 2, 10), read(3, 4, 10))).toBe('linearizable');
    expect(check(unanswered(0, 5), read(1, 2, 15), read(3, 4, 10))).toBe('not-linearizable');
  });

  test('has certainly had a move whose answer does not state the stock', () => {
    const done = (begin: number, end: number, change: number): StockCall => ({
      input: { kind: 'move', change },
      begin,
      end,
    });
    expect(check(done(0, 3, 5), read(1, 2, 10), read(4, 5, 15))).toBe('linearizable');
    expect(check(done(0, 1, 5), read(2, 3, 10))).toBe('not-linearizable');
    expect(check(done(0, 1, -11), read(2, 3, 10))).toBe('not-linearizable');
  });

  test('never goes below zero, and refuses only what would do that', () => {
    expect(check(move(0, 1, -11, 'insufficient'), read(2, 3, 10))).toBe('linearizable');
    expect(check(move(0, 1, -11, -1))).toBe('not-linearizable');
    expect(check(move(0, 1, -9, 'insufficient'))).toBe('not-linearizable');
  });

  test('is undecided after too many steps', () => {
    const calls = Array.from({ length: 12 }, (_, at) => unanswered(0, 2 ** at));
    expect(checkLinearizable(stockModel(0), [...calls, read(1, 2, -1)], 100)).toBe('undecided');
  });
});

describe('a session', () => {
  type SessionCall = Call<SessionInput, SessionOutput>;
  const call = (begin: number, end: number, input: SessionInput, output?: SessionOutput): SessionCall => ({
    input,
    begin,
    end,
    output,
  });
  const use = (begin: number, gateway: string, output: SessionOutput) =>
    call(begin, begin + 10, { kind: 'use', gateway }, output);
  const logout = (begin: number, end: number) =>
    call(begin, end, { kind: 'logout', gateway: 'a' }, end === Infinity ? undefined : 'accepted');
  const refresh = (begin: number, token: number, output?: SessionOutput) =>
    call(begin, output ? begin + 10 : Infinity, { kind: 'refresh', gateway: 'a', token }, output);
  const check = (...calls: SessionCall[]) => checkLinearizable(sessionModel, calls);

  test('is used until its logout', () => {
    expect(check(use(0, 'a', 'accepted'), logout(20, 30), use(40, 'a', 'refused'))).toBe('linearizable');
  });

  test('is accepted after the logout at the same gateway', () => {
    expect(check(logout(20, 30), use(31, 'a', 'accepted'))).toBe('not-linearizable');
    expect(check(logout(20, 30), use(29, 'a', 'accepted'))).toBe('linearizable');
  });

  test('is accepted at another gateway later than a second after the logout', () => {
    expect(check(logout(20, 30), use(1029, 'b', 'accepted'))).toBe('linearizable');
    expect(check(logout(20, 30), use(1031, 'b', 'accepted'))).toBe('not-linearizable');
  });

  test('is refused before its end', () => {
    expect(check(use(0, 'b', 'refused'), logout(20, 30))).toBe('not-linearizable');
    expect(check(use(0, 'b', 'refused'))).toBe('not-linearizable');
  });

  test('may have ended or not after a logout without an answer', () => {
    expect(check(logout(20, Infinity), use(5000, 'a', 'accepted'), use(6000, 'b', 'refused'))).toBe('linearizable');
    expect(check(use(0, 'a', 'refused'), logout(20, Infinity))).toBe('not-linearizable');
    const again = [logout(20, Infinity), logout(100, 200)];
    expect(check(...again, use(500, 'b', 'accepted'))).toBe('linearizable');
    expect(check(...again, use(5000, 'b', 'accepted'))).toBe('not-linearizable');
  });

  test('has ended once anything was refused after a logout without an answer', () => {
    const lost = logout(20, Infinity);
    const again = call(100, 110, { kind: 'logout', gateway: 'a' }, 'refused');
    for (const refused of [again, use(100, 'a', 'refused')]) {
      expect(check(lost, refused, use(109, 'a', 'accepted'), use(1109, 'b', 'accepted'))).toBe('linearizable');
      expect(check(lost, refused, use(111, 'a', 'accepted'))).toBe('not-linearizable');
      expect(check(lost, refused, use(1111, 'b', 'accepted'))).toBe('not-linearizable');
    }
  });

  test('is refused by a gateway that refused it before, whichever answered the logout', () => {
    expect(check(logout(20, 30), use(40, 'b', 'refused'), use(51, 'b', 'accepted'))).toBe('not-linearizable');
  });

  test('is still accepted by a gateway that carried the refusal of a refresh token after its end', () => {
    const ended = [refresh(0, 0, 'accepted'), refresh(20, 0), refresh(40, 0, 'refused')];
    expect(check(...ended, use(60, 'a', 'accepted'))).toBe('linearizable');
    expect(check(...ended, use(1051, 'a', 'accepted'))).toBe('not-linearizable');
  });

  test('exchanges each refresh token once, and answers the last exchange once more', () => {
    expect(check(refresh(0, 0, 'accepted'), refresh(20, 1, 'accepted'))).toBe('linearizable');
    const again = [refresh(0, 0, 'accepted'), refresh(20, 0, 'accepted')];
    expect(check(...again, refresh(40, 1, 'accepted'))).toBe('linearizable');
    expect(check(...again, refresh(40, 0, 'accepted'))).toBe('not-linearizable');
    expect(check(refresh(0, 0, 'accepted'), refresh(20, 1, 'accepted'), refresh(40, 0, 'accepted'))).toBe(
      'not-linearizable',
    );
    expect(check(refresh(0, 0, 'refused'))).toBe('not-linearizable');
  });

  test('ends when a refresh token is used again', () => {
    const reused = [refresh(0, 0, 'accepted'), refresh(20, 0, 'refused')];
    expect(check(...reused, use(40, 'a', 'refused'))).toBe('linearizable');
    expect(check(...reused, use(40, 'a', 'accepted'))).toBe('not-linearizable');
    expect(check(...reused, refresh(40, 1, 'accepted'))).toBe('not-linearizable');
  });
});
