import type { Client } from '../client.ts';
import type { Stage } from '../run.ts';

/** What a scenario measured, beside what the ledger finds. */
export interface Fact {
  readonly what: string;
  readonly found: number;
  /** The most that is good; absent where the figure is only told. */
  readonly atMost?: number;
}

interface ScenarioOptions {
  readonly seed: number;
  readonly users: number;
  readonly full: boolean;
  readonly say: (line: string) => void;
}

export interface Acted {
  readonly stats: Client['stats'];
  readonly faults: number;
  readonly facts: readonly Fact[];
}

export type Scenario = (stage: Stage, options: ScenarioOptions) => Promise<Acted>;
