import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { BackingError } from '../error.ts';

// Below the range that systems hand out to outgoing connections: a port from there stays ours while its process restarts.
const lowest = 20_000;
const highest = 31_999;

/** Whether a server could listen on the loopback port now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

// What this process has claimed, until it ends.
const claims = new Map<number, Server>();

/**
 * Makes a port this process's own among all programs that choose theirs here: between being chosen and being listened on it
 * is free, and another system that starts beside this one could choose it too. The claim is a socket in the abstract
 * namespace, which goes with the process however it ends; only Linux has it, elsewhere every claim is granted.
 */
function claim(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    const mark = createServer().unref();
    mark.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
    mark.listen(`\0storefront-port-${port}`, () => {
      claims.set(port, mark);
      resolve(true);
    });
  });
}

/** A loopback port that nobody listens on, that nobody else has chosen here, and that is none of `taken`. */
export async function freePort(taken: readonly number[] = []): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(lowest, highest + 1);
    if (!taken.includes(port) && (await isFree(port)) && (await claim(port))) return port;
  }
  throw new BackingError(`No free port was found between ${lowest} and ${highest}: end some of the servers there.`);
}

/**
 * The ports of a server: those it had last time where they are still free, so that its address stays the same, else new ones.
 */
export async function keepOrChoosePorts<Name extends string>(
  names: readonly Name[],
  remembered: Partial<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const chosen: number[] = [];
  for (const name of names) {
    const before = remembered[name];
    const keep =
      before !== undefined &&
      !chosen.includes(before) &&
      (await isFree(before)) &&
      (claims.has(before) || (await claim(before)));
    chosen.push(keep ? before : await freePort(chosen));
  }
  return Object.fromEntries(names.map((name, at) => [name, chosen[at]])) as Record<Name, number>;
}
