import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Ends the processes and containers that this process started, even if this process is killed with SIGKILL. */
export interface Reaper {
  /** From now on the process group with the leader `pid` is ended when this process ends. */
  watch(pid: number): void;
  /** Stops watching the process group. Call this when the group has ended. */
  forget(pid: number): void;
  /**
   * From now on the container and its volumes are removed when this process ends. The container need not exist yet.
   * `docker` is the path of the `docker` command.
   */
  watchContainer(name: string, docker: string): void;
  /** Stops watching the container. Call this when the container is removed. */
  forgetContainer(name: string): void;
  /** Removes the file or folder with its contents when this process ends. */
  removeAtEnd(path: string): void;
  /**
   * Ends all watched groups (SIGTERM, after 3 s SIGKILL) and removes containers and paths. Resolves when everything is
   * done.
   */
  close(): Promise<void>;
}

// The path is the same from `src` and from `dist`, where the build does not copy the script.
const script = fileURLToPath(new URL('../../src/process/reaper.sh', import.meta.url));

/**
 * Starts the reaper process in its own process group, so that Ctrl-C in the terminal does not reach it. It reads from a
 * pipe. When this process ends for any reason, the operating system closes the pipe, and the reaper starts its work.
 */
export function startReaper(): Reaper {
  const child = spawn('/bin/sh', [script], {
    cwd: '/',
    detached: true,
    env: dockerSettings(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
  // If the reaper process has ended, commands to it are lost. Everything can still be stopped in the usual way.
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  const send = (command: string, ...words: readonly (string | number)[]) =>
    void (child.stdin.writable && child.stdin.write(`${[command, ...words].join(' ')}\n`));
  return {
    watch: (pid) => send('watch', pid),
    forget: (pid) => send('forget', pid),
    watchContainer: (name, docker) => send('watch-container', name, docker),
    forgetContainer: (name) => send('forget-container', name),
    removeAtEnd: (path) => send('remove', path),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.stdin.end();
      await exited;
    },
  };
}

/** Returns the environment variables that the `docker` command needs to find the same engine. */
function dockerSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|DOCKER_\w+)$/.test(name)));
}
