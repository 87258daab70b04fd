import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { BackingError } from '../error.ts';

// These ports are below the range that systems use for outgoing connections, so a port stays free while its process
// restarts.
const lowest = 20_000;
const highest = 31_999;

/** Whether a server could listen on this loopback port now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

// The ports that this process has claimed. A claim lasts until the process ends.
const claims = new Map<number, Server>();

/**
 * Claims a port for this process. Returns false if another process has claimed it. A chosen port is free until its
 * server listens, so without a claim another process could choose it at the same time. The claim is a socket in the
 * abstract namespace, which the system removes when the process ends. Only Linux has this namespace; on other systems
 * every claim succeeds.
 */
function claim(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = createServer().unref();
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
    socket.listen(`\0storefront-port-${port}`, () => {
      claims.set(port, socket);
      resolve(true);
    });
  });
}

/** Chooses and claims a free loopback port that is not in `taken`. Throws a BackingError if it finds none. */
export async function freePort(taken: readonly number[] = []): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(lowest, highest + 1);
    if (!taken.includes(port) && (await isFree(port)) && (await claim(port))) return port;
  }
  throw new BackingError(`No free port was found between ${lowest} and ${highest}: end some of the servers there.`);
}

const freedWithinMs = 1000;

/** Whether the port is free, or soon is: the threads of a killed server free its ports a moment after it counts as ended. */
async function becomesFree(port: number): Promise<boolean> {
  const deadline = Date.now() + freedWithinMs;
  while (!(await isFree(port))) {
    if (Date.now() > deadline) return false;
    await wait(25);
  }
  return true;
}

/** Returns the ports of the last start if they are still free, so that addresses stay the same; otherwise new ports. */
export async function keepOrChoosePorts<Name extends string>(
  names: readonly Name[],
  last: Partial<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const chosen: number[] = [];
  for (const name of names) {
    const port = last[name];
    const keep =
      port !== undefined &&
      !chosen.includes(port) &&
      (await becomesFree(port)) &&
      (claims.has(port) || (await claim(port)));
    chosen.push(keep ? port : await freePort(chosen));
  }
  return Object.fromEntries(names.map((name, at) => [name, chosen[at]])) as Record<Name, number>;
}
