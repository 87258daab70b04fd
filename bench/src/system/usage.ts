import { readdirSync, readFileSync } from 'node:fs';

// Linux counts CPU time in ticks of 10 ms on all platforms of Node.
const ticksPerSecond = 100;

interface Usage {
  /** CPU time so far, including that of child processes that have ended. */
  readonly cpuSeconds: number;
  readonly residentMb: number;
}

/** The usage of each named process together with its descendants, from `/proc` (Linux only). */
export function usageOf<Name extends string>(processes: Readonly<Record<Name, number>>): Record<Name, Usage> {
  const all = readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? (read(Number(entry)) ?? []) : []));
  const named = Object.entries<number>(processes);
  const roots = new Set(named.map(([, pid]) => pid));
  const usage = (pid: number) => {
    const family = new Set([pid]);
    // A descendant with a name of its own is counted only under that name.
    for (let size = 0; size !== family.size;) {
      size = family.size;
      for (const each of all) if (family.has(each.parent) && !roots.has(each.pid)) family.add(each.pid);
    }
    const members = all.filter((each) => family.has(each.pid));
    return {
      cpuSeconds: members.reduce((sum, each) => sum + each.cpuSeconds, 0),
      residentMb: members.reduce((sum, each) => sum + each.residentMb, 0),
    };
  };
  return Object.fromEntries(named.map(([name, pid]) => [name, usage(pid)])) as Record<Name, Usage>;
}

/** The resident memory of one process without its descendants. */
export function residentMb(pid: number): number {
  return read(pid)?.residentMb ?? Number.NaN;
}

function read(pid: number): (Usage & { pid: number; parent: number }) | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in brackets and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return { pid, parent: Number(fields[1]), cpuSeconds: ticks / ticksPerSecond, residentMb: Number(resident) / 1024 };
  } catch {
    return undefined;
  }
}
