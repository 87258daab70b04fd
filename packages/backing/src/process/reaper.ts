import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Ends what this process leaves behind, also when this process is killed without a chance to tidy up. */
export interface Reaper {
  /** From now on the process group led by `pid` ends with this process. */
  watch(pid: number): void;
  /** The group has ended, or shall outlive this process. */
  forget(pid: number): void;
  /** Removes the file or folder, with all in it, when this process ends. */
  removeAtEnd(path: string): void;
  /** Ends everything still watched (SIGTERM, 3 s later SIGKILL), removes the paths, and resolves when that is done. */
  close(): Promise<void>;
}

/**
 * Starts the guard: a small process in a group of its own, so that Ctrl-C in the terminal does not reach it. It holds the
 * reading end of a pipe; the operating system closes the writing end when this process goes, however it goes.
 */
export function startReaper(): Reaper {
  const script = new URL(import.meta.url.endsWith('.ts') ? './reaper-guard.ts' : './reaper-guard.js', import.meta.url);
  const guard = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', fileURLToPath(script)], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = guard.exitCode === null ? once(guard, 'exit') : Promise.resolve();
  // A guard that is gone can't be told anything; the ordinary ways to stop still work without it.
  guard.stdin.on('error', () => undefined);
  guard.on('error', () => undefined);
  guard.unref();
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
  const tell = (order: object) => guard.stdin.writable && guard.stdin.write(`${JSON.stringify(order)}\n`);
  return {
    watch: (pid) => void tell({ watch: pid }),
    forget: (pid) => void tell({ forget: pid }),
    removeAtEnd: (path) => void tell({ remove: path }),
    async close() {
      if (guard.exitCode !== null || guard.signalCode !== null) return;
      guard.ref();
      guard.stdin.end();
      await exited;
    },
  };
}
