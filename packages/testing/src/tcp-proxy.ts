import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A proxy between a program and its server that can simulate a bad network. */
export interface TcpProxy {
  /** The server's address, with the port of the proxy. */
  readonly url: string;
  /** Resets every connection. New connections are let through unless `refuse` was called. */
  cut(): void;
  /** Resets every new connection until `accept` is called. */
  refuse(): void;
  /** Drops all data in both directions without resetting a connection. New connections open and stay silent. */
  silence(): void;
  /** Holds back all data in both directions until `accept` is called. */
  hold(): void;
  /** Forwards everything this many milliseconds late; 0 means at once. */
  delay(milliseconds: number): void;
  /** Delays each chunk by a random time of at most this many milliseconds. The order of the chunks stays. */
  jitter(upToMilliseconds: number): void;
  /**
   * Makes the network good again. Connections that lost bytes to `silence` are reset, because the following bytes would
   * make no sense.
   */
  accept(): void;
  close(): Promise<void>;
}

type Mode = 'forward' | 'hold' | 'drop';

/**
 * Listens on loopback and forwards connections to `target`. With several targets, connections go to each target in
 * turn; a target that does not answer is skipped.
 */
export async function startProxy(target: string | readonly string[]): Promise<TcpProxy> {
  const targets = [target].flat();
  const pairs = new Set<Pair>();
  let turn = 0;
  let refusing = false;
  let mode: Mode = 'forward';
  let delayMs = 0;
  let jitterMs = 0;
  let released = Promise.withResolvers<void>();

  const server = createServer((incoming) => {
    if (refusing) {
      incoming.on('error', () => {});
      incoming.resetAndDestroy();
      return;
    }
    const pair: Pair = { sockets: [incoming], lostBytes: false };
    pairs.add(pair);
    endTogether(incoming, pair);
    void connectToNext().then((outgoing) => {
      if (!outgoing || incoming.destroyed) {
        outgoing?.destroy();
        incoming.resetAndDestroy();
        return;
      }
      endTogether(outgoing, pair);
      pair.sockets.push(outgoing);
      forward(incoming, outgoing, pair);
      forward(outgoing, incoming, pair);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targets[0] as string);
  url.port = String((server.address() as AddressInfo).port);

  async function connectToNext(): Promise<Socket | undefined> {
    for (let tries = 0; tries < targets.length; tries += 1) {
      const { hostname, port } = new URL(targets[turn++ % targets.length] as string);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      const answered = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'close').then(() => false),
      ]).catch(() => false);
      if (answered) return socket;
      socket.destroy();
    }
    return undefined;
  }

  /** When this side of a connection has ended, ends the other side too. */
  function endTogether(socket: Socket, pair: Pair): void {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      pairs.delete(pair);
      for (const other of pair.sockets) other.destroy();
    });
  }

  /** Forwards chunks in their order, each after the delay. */
  function forward(from: Socket, to: Socket, pair: Pair): void {
    let last = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      const due = performance.now() + delayMs + Math.random() * jitterMs;
      last = last.then(async () => {
        const left = due - performance.now();
        if (left > 0) await wait(left);
        while (mode === 'hold') await released.promise;
        if (mode === 'drop') pair.lostBytes = true;
        else if (!to.destroyed) to.write(chunk);
      });
    });
  }

  function changeMode(next: Mode): void {
    mode = next;
    released.resolve();
    released = Promise.withResolvers();
  }

  const cut = (which: Iterable<Pair> = pairs) => {
    for (const { sockets } of which) for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    cut: () => cut(),
    refuse: () => (refusing = true),
    silence: () => changeMode('drop'),
    hold: () => changeMode('hold'),
    delay: (milliseconds) => (delayMs = milliseconds),
    jitter: (milliseconds) => (jitterMs = milliseconds),
    accept() {
      refusing = false;
      delayMs = 0;
      jitterMs = 0;
      changeMode('forward');
      cut([...pairs].filter(({ lostBytes }) => lostBytes));
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Pair {
  readonly sockets: Socket[];
  lostBytes: boolean;
}
