import { beforeEach, describe, expect, it } from 'vitest';
import { watchRush, type Rush } from './rush.ts';

let seconds = 0;
let rush: Rush;
beforeEach(() => {
  seconds = 1000;
  rush = watchRush(() => seconds * 1000);
});

describe('a rush', () => {
  it('begins with a thousand events in a second, and not with as many in two', () => {
    expect(rush.isOn()).toBe(false);
    rush.note(999);
    expect(rush.isOn()).toBe(false);
    seconds += 1;
    rush.note(999);
    expect(rush.isOn()).toBe(false);
    rush.note(1);
    expect(rush.isOn()).toBe(true);
  });

  it('ends when a second with fewer events is over', () => {
    rush.note(1000);
    seconds += 1.9;
    rush.note(999);
    expect(rush.isOn()).toBe(true);
    seconds += 0.1;
    expect(rush.isOn()).toBe(false);
  });

  it('ends while nothing is sent, however long that is', () => {
    for (const later of [2, 3, 60]) {
      rush.note(1000);
      seconds += later;
      expect(rush.isOn()).toBe(false);
    }
  });

  it('lasts no longer than 30 s, and is not another one as long as it goes on', () => {
    const states: boolean[] = [];
    for (let second = 0; second < 60; second += 1) {
      rush.note(2000);
      states.push(rush.isOn());
      seconds += 1;
    }
    expect(states.indexOf(false)).toBe(30);
    expect(states.lastIndexOf(true)).toBe(29);
    seconds += 2;
    expect(rush.isOn()).toBe(false);
    rush.note(1000);
    expect(rush.isOn()).toBe(true);
  });
});
