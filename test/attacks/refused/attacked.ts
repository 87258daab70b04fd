import type { Fixtures } from '../matrix/fixtures.ts';
import type { Operation } from '../matrix/operations.ts';
import type { System } from '../system/system.ts';

/** What the parts of `refused.e2e.test.ts` share. */
export interface Attacked {
  readonly system: System;
  readonly fixtures: Fixtures;
  /** By their ids. */
  readonly operations: Map<string, Operation>;
}
