import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Stands between a program and its server and makes the network bad. */
export interface TcpProxy {
  /** The server's address with the proxy in its place. */
  readonly url: string;
  /** Cuts every connection; new ones come through unless `refuse` was called. */
  cut(): void;
  /** From here on new connections are cut too, until `accept`. */
  refuse(): void;
  /** Swallows what is sent, in either direction, and cuts nothing; new connections open and stay silent. */
  silence(): void;
  /** Keeps what is sent, in either direction, until `accept`. */
  hold(): void;
  /** Passes everything on this many milliseconds late; 0: at once. */
  delay(milliseconds: number): void;
  /** A good network again. Connections that lost bytes to `silence` are cut: nothing sensible can follow. */
  accept(): void;
  close(): Promise<void>;
}

type Mode = 'pass' | 'hold' | 'swallow';

/**
 * Listens on loopback and passes connections on to `target`; with several targets to each in turn, over those that do
 * not answer.
 */
export async function startProxy(target: string | readonly string[]): Promise<TcpProxy> {
  const targets = [target].flat();
  const pairs = new Set<Pair>();
  let turn = 0;
  let refusing = false;
  let mode: Mode = 'pass';
  let delayMs = 0;
  let released = Promise.withResolvers<void>();

  const server = createServer((incoming) => {
    if (refusing) {
      incoming.on('error', () => {});
      incoming.resetAndDestroy();
      return;
    }
    const pair: Pair = { sockets: [incoming], lostBytes: false };
    pairs.add(pair);
    tie(incoming, pair);
    void reach().then((outgoing) => {
      if (!outgoing || incoming.destroyed) {
        outgoing?.destroy();
        incoming.resetAndDestroy();
        return;
      }
      tie(outgoing, pair);
      pair.sockets.push(outgoing);
      carry(incoming, outgoing, pair);
      carry(outgoing, incoming, pair);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targets[0] as string);
  url.port = String((server.address() as AddressInfo).port);

  async function reach(): Promise<Socket | undefined> {
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

  /** One end gone, the other goes too. */
  function tie(socket: Socket, pair: Pair): void {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      pairs.delete(pair);
      for (const other of pair.sockets) other.destroy();
    });
  }

  /** Chunks go out in their order, each when its time has come. */
  function carry(from: Socket, to: Socket, pair: Pair): void {
    let last = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      const due = performance.now() + delayMs;
      last = last.then(async () => {
        const left = due - performance.now();
        if (left > 0) await wait(left);
        while (mode === 'hold') await released.promise;
        if (mode === 'swallow') pair.lostBytes = true;
        else if (!to.destroyed) to.write(chunk);
      });
    });
  }

  function become(next: Mode): void {
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
    silence: () => become('swallow'),
    hold: () => become('hold'),
    delay: (milliseconds) => (delayMs = milliseconds),
    accept() {
      refusing = false;
      delayMs = 0;
      become('pass');
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
