import type { Machine } from './system/machine.ts';

/** Where CPU time goes. */
export type Share = 'gateway' | 'services' | 'mongodb' | 'rabbitmq' | 'bare';

/** One line of the table. */
export interface Line {
  readonly what: string;
  /** The figure that counts, in words, ratios first. */
  readonly result?: string;
  readonly goal?: string;
  readonly met?: boolean;
  readonly perSecond?: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** CPU seconds for 1,000 of them. */
  readonly cpu?: Partial<Record<Share, number>>;
}

export interface Report {
  readonly machine: Machine;
  readonly seconds: number;
  readonly connections: number;
  readonly lines: readonly Line[];
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
];

/** The table, as Markdown that is also readable as it stands. */
export function tableOf({ machine, seconds, connections, lines }: Report): string {
  const { cores, cpu, memoryGb, node, loadAverage } = machine;
  const cells = [heading, ...lines.map(cellsOf)];
  const widths = heading.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const write = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column < 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [
    `${cores} cores of ${cpu}, ${memoryGb} GB, Node ${node}; load average ${loadAverage} at the beginning.`,
    `${connections} clients for ${seconds} s each. The last five columns: CPU seconds for 1,000.`,
    '',
    write(first),
    `| ${widths.map((width, column) => (column < 4 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`,
    ...others.map(write),
    '',
  ].join('\n');
}

function cellsOf({ what, result, goal, met, perSecond, p50, p99, cpu }: Line): string[] {
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
  ];
}
