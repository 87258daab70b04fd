import { readFileSync } from 'node:fs';

/**
 * When the process began, in the kernel's clock ticks since boot: with the pid it names one process for good, while the pid
 * alone may be given to another. Undefined where there is no such process; 'unknown' where the system has no /proc.
 */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold spaces; the start is the 22nd field.
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
