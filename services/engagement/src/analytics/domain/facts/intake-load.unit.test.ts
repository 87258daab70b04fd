import { beforeEach, describe, expect, it } from 'vitest';
import { watchIntakeLoad, type IntakeLoad } from './intake-load.ts';

let seconds = 0;
let intakeLoad: IntakeLoad;
beforeEach(() => {
  seconds = 1000;
  intakeLoad = watchIntakeLoad(() => seconds * 1000);
});

describe('a high load', () => {
  it('begins with a thousand events in a second, and not with as many in two', () => {
    expect(intakeLoad.isHigh()).toBe(false);
    intakeLoad.note(999);
    expect(intakeLoad.isHigh()).toBe(false);
    seconds += 1;
    intakeLoad.note(999);
    expect(intakeLoad.isHigh()).toBe(false);
    intakeLoad.note(1);
    expect(intakeLoad.isHigh()).toBe(true);
  });

  it('ends when a second with fewer events is over', () => {
    intakeLoad.note(1000);
    seconds += 1.9;
    intakeLoad.note(999);
    expect(intakeLoad.isHigh()).toBe(true);
    seconds += 0.1;
    expect(intakeLoad.isHigh()).toBe(false);
  });

  it('ends while nothing is sent, however long that is', () => {
    for (const later of [2, 3, 60]) {
      intakeLoad.note(1000);
      seconds += later;
      expect(intakeLoad.isHigh()).toBe(false);
    }
  });

  it('lasts no longer than 30 s, and is not another one as long as it goes on', () => {
    const states: boolean[] = [];
    for (let second = 0; second < 60; second += 1) {
      intakeLoad.note(2000);
      states.push(intakeLoad.isHigh());
      seconds += 1;
    }
    expect(states.indexOf(false)).toBe(30);
    expect(states.lastIndexOf(true)).toBe(29);
    seconds += 2;
    expect(intakeLoad.isHigh()).toBe(false);
    intakeLoad.note(1000);
    expect(intakeLoad.isHigh()).toBe(true);
  });
});
