import { readFileSync } from 'node:fs';

/**
 * The start time of a process in clock ticks since boot. Together with the pid it identifies one process; the pid alone
 * may be reused. Undefined if there is no such process; 'unknown' on systems without /proc.
 */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may contain spaces; the start time is the 22nd field.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : rest[18];
  } catch {
    return process.platform !== 'linux' && exists(pid) ? 'unknown' : undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
