import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends bytes as they are and answers what came back until the other side hung up, or after `quietMs` without a byte once
 * anything had come; `patienceMs` for the first.
 */
export async function sendRaw(
  url: string,
  bytes: string,
  { quietMs = 150, patienceMs = 60_000 }: { quietMs?: number; patienceMs?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    socket.setTimeout(quietMs);
  });
  socket.on('error', () => undefined);
  socket.on('timeout', () => socket.destroy());
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.setTimeout(patienceMs);
  socket.write(bytes, 'latin1');
  await ended;
  return received;
}

/** The statuses of all answers on a connection; the next begins where the body of the one before ends. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
