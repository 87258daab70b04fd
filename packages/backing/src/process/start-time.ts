import { readFileSync } from 'node:fs';

/**
 * Returns the start time of a process in clock ticks since boot. Pid and start time together identify one process,
 * because a pid alone may be reused. Returns undefined if there is no such process, and 'unknown' on systems without
 * /proc.
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
