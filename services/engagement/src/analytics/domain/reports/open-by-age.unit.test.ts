import { expect, it } from 'vitest';
import { collectOpen, nothingOpen } from './open-by-age.ts';

it('is what is overdue for so many days at least, less what is overdue for longer', () => {
  const owed = collectOpen();
  expect(owed.byAge()).toEqual(nothingOpen);
  owed.add({ open: 1200, invoiced: 5000 });
  expect(owed.byAge()).toEqual({ ...nothingOpen, openCurrent: 1200 });
  owed.add({ open1: 1200, open31: 1000, open61: 600 });
  owed.add({ open: 50, open91: 100 });
  expect(owed.byAge()).toEqual({
    openCurrent: 50,
    open1To30: 200,
    open31To60: 400,
    open61To90: 500,
    openOver90: 100,
  });
});
