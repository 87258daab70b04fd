import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** What the figures were measured on. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly node: string;
  /** How many others wanted the processors in the last minute, at the beginning of the run. */
  readonly loadAverage: number;
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    loadAverage: loadAverage(),
  };
}

/** Above the number of cores, times and throughput say more about the neighbours than about what is measured. */
export function loadAverage(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}
