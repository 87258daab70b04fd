import type { Client } from '../client.ts';
import type { MeasuredFact } from '../report.ts';
import type { Rig } from '../run.ts';

interface ScenarioOptions {
  readonly seed: number;
  readonly users: number;
  readonly full: boolean;
  /** The folder of the former version's checkout. */
  readonly former?: string | undefined;
  readonly say: (line: string) => void;
}

export interface ScenarioResult {
  readonly stats: Client['stats'];
  readonly faults: number;
  readonly facts: readonly MeasuredFact[];
}

export type Scenario = (rig: Rig, options: ScenarioOptions) => Promise<ScenarioResult>;
