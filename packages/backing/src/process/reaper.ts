import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Ends the processes and containers that this process started, even if this process is killed with SIGKILL. */
export interface Reaper {
  /** From now on the process group of the leader `pid` ends with this process. */
  watch(pid: number): void;
  /** Stops watching the group: it has ended. */
  forget(pid: number): void;
  /**
   * From now on the container goes with this process, with its volumes. It need not be there yet. `docker` is the file of the
   * command.
   */
  watchContainer(name: string, docker: string): void;
  /** Stops watching the container: it is gone. */
  forgetContainer(name: string): void;
  /** Removes the file or folder with its contents when this process ends. */
  removeAtEnd(path: string): void;
  /** Ends all watched groups (SIGTERM, 3 s later SIGKILL), removes containers and paths, and resolves when that is done. */
  close(): Promise<void>;
}

/**
 * Starts the reaper process in a group of its own, so that Ctrl-C in the terminal does not reach it. It reads from a
 * pipe, which the operating system closes when this process ends for any reason.
 */
export function startReaper(): Reaper {
  const script = new URL(
    import.meta.url.endsWith('.ts') ? './reaper-process.ts' : './reaper-process.js',
    import.meta.url,
  );
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', fileURLToPath(script)], {
    cwd: '/',
    detached: true,
    env: dockerSettings(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
  // If the reaper process has died, commands to it are lost; everything can still be stopped in the ordinary way.
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  const send = (command: object) => child.stdin.writable && child.stdin.write(`${JSON.stringify(command)}\n`);
  return {
    watch: (pid) => void send({ watch: pid }),
    forget: (pid) => void send({ forget: pid }),
    watchContainer: (name, docker) => void send({ watchContainer: name, docker }),
    forgetContainer: (name) => void send({ forgetContainer: name }),
    removeAtEnd: (path) => void send({ remove: path }),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.stdin.end();
      await exited;
    },
  };
}

/** What the `docker` command needs to find the same engine. */
function dockerSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|DOCKER_\w+)$/.test(name)));
}
