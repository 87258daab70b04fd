import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** The machine that the bench runs on. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly node: string;
  /** Of the last minute, at the beginning of the run. */
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

/** The load average of the last minute. Above the number of cores, other programs distort times and throughput. */
export function loadAverage(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}
