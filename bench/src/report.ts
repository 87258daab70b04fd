import type { Machine } from './system/machine.ts';

/** The processes whose CPU time is reported together. */
export type ProcessGroup = 'gateway' | 'services' | 'mongodb' | 'rabbitmq' | 'bare';

/** CPU seconds of each group. */
export type CpuTimes = Partial<Record<ProcessGroup, number>>;

/** A line of the table. */
export interface ReportLine {
  readonly what: string;
  /** The main figure as text. */
  readonly result?: string;
  readonly goal?: string;
  readonly met?: boolean;
  readonly perSecond?: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** CPU seconds per 1,000. */
  readonly cpu?: CpuTimes;
  /** CPU seconds per 1,000 of the whole system until everything is done that follows from the requests. */
  readonly withWhatFollows?: number;
}

export interface BenchReport {
  readonly machine: Machine;
  readonly seconds: number;
  readonly connections: number;
  readonly lines: readonly ReportLine[];
}

const heading = [
  '',
  'result',
  'goal',
  'met',
  '/s',
  'p50 ms',
  'p99 ms',
  'gateway',
  'services',
  'mongodb',
  'rabbitmq',
  'all',
  'with what follows',
];
const textColumns = 4;

/** The report as a Markdown table that is also readable as plain text. */
export function tableOf({ machine, seconds, connections, lines }: BenchReport): string {
  const { cores, cpu, memoryGb, node, loadAverage } = machine;
  const rows = lines.map(cellsOf);
  const widths = heading.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const write = (cells: readonly string[]) => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? '';
      return column < textColumns ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(' | ')} |`;
  };
  return [
    `${cores} cores of ${cpu}, ${memoryGb} GB, Node ${node}; load average ${loadAverage} at the beginning.`,
    `${connections} clients for ${seconds} s each. The last six columns: CPU seconds for 1,000.`,
    '',
    write(heading),
    write(widths.map((width, column) => (column < textColumns ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))),
    ...rows.map(write),
    '',
  ].join('\n');
}

function cellsOf({ what, result, goal, met, perSecond, p50, p99, cpu, withWhatFollows }: ReportLine): string[] {
  const all = cpu && Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
  return [
    what,
    result ?? '',
    goal ?? '',
    met === undefined ? '' : met ? 'yes' : 'no',
    perSecond === undefined ? '' : Math.round(perSecond).toString(),
    p50?.toFixed(1) ?? '',
    p99?.toFixed(1) ?? '',
    cpu?.gateway?.toFixed(3) ?? '',
    (cpu?.services ?? cpu?.bare)?.toFixed(3) ?? '',
    cpu?.mongodb?.toFixed(3) ?? '',
    cpu?.rabbitmq?.toFixed(3) ?? '',
    all?.toFixed(3) ?? '',
    withWhatFollows?.toFixed(3) ?? '',
  ];
}
