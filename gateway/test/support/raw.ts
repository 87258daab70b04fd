import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes as they are. Returns what was received until the other side closed, or until `waitMs` of silence. */
export async function sendRaw(url: string, bytes: string, waitMs = 30_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.setTimeout(waitMs, () => socket.destroy());
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return received;
}

/** The statuses of all answers on a connection; one begins where the body of the one before ends. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
