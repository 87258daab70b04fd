import type { Client } from '../client.ts';
import type { Fact } from '../report.ts';
import type { Stage } from '../run.ts';

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
