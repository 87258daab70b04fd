import { expect, it } from 'vitest';
import { operationInfo } from '../operations-module.ts';
import { isFor } from '../src/api/operation-info.ts';
import { isOpenTo } from '../src/shell/access.ts';
import { pages, roles } from './pages.ts';

it.each(Object.entries(pages))('opens %s to those whose work it is', (path, staff) => {
  const info = operationInfo();
  const open = (at: string) => roles.filter((role) => isOpenTo(at, (id) => isFor(info[id], role)));
  expect(open(path)).toEqual(staff);
  // What is below a page is open to nobody else.
  expect(staff).toEqual(expect.arrayContaining(open(`${path}/one`)));
});
