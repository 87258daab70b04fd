import type { Client } from '../client.ts';
import type { FinalState } from '../final-state.ts';
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
  /** Further facts, which the final state shows. */
  readonly finalFacts?: (finalState: FinalState) => Promise<readonly MeasuredFact[]>;
  /** When the system was restored from a backup, in ms since 1970. */
  readonly restoredAt?: number;
}

export type Scenario = (rig: Rig, options: ScenarioOptions) => Promise<ScenarioResult>;
