import type { Socket } from 'node:net';
import { buildConnector, errors } from 'undici';
import { neverAnswered } from './domain/retry.ts';

const connectMs = 2000;
const probe = (host: string) => `GET /livez HTTP/1.1\r\nhost: ${host}\r\n\r\n`;

/**
 * Connects to a service and sends `GET /livez` on the new connection before the first request. This is needed because
 * the operating system accepts connections for a process that is about to exit. A request sent on such a connection
 * would be lost, and the gateway could not know whether the service processed it.
 * If the connection closes before the answer to `/livez`, or the answer has `Connection: close`, the error has the code
 * `neverAnswered`: no request was processed. If the service stays silent for `answerMs` milliseconds, the error is a
 * HeadersTimeoutError.
 */
export function createConnector(answerMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) callback(error, null);
      else probeFirst(socket, options.host ?? options.hostname, answerMs, callback);
    });
}

function probeFirst(socket: Socket, host: string, answerMs: number, callback: buildConnector.Callback): void {
  let answer = '';
  const onReadable = () => {
    for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null);) answer += chunk.toString('latin1');
    if (isWhole(answer)) end(/^connection: close\r$/im.test(answer) ? closed() : undefined);
  };
  const onClose = () => end(closed());
  const onSilence = () => end(new errors.HeadersTimeoutError());
  const onError = (error: Error) => end(closed(error));
  const end = (error?: Error) => {
    socket
      .setTimeout(0)
      .off('timeout', onSilence)
      .off('readable', onReadable)
      .off('close', onClose)
      .off('error', onError);
    if (!error) return callback(null, socket);
    socket.on('error', () => undefined).destroy();
    callback(error, null);
  };
  socket
    .setTimeout(answerMs)
    .on('timeout', onSilence)
    .on('readable', onReadable)
    .on('close', onClose)
    .on('error', onError);
  socket.write(probe(host));
}

const closed = (cause?: Error) =>
  Object.assign(new Error('the connection was closed before the first request', { cause }), { code: neverAnswered });

/** Whether an answer has arrived with its whole body. Services always send `Content-Length`. */
function isWhole(answer: string): boolean {
  const body = answer.indexOf('\r\n\r\n') + 4;
  const length = Number(/^content-length: (\d+)\r$/im.exec(answer)?.[1] ?? 0);
  return body >= 4 && answer.length >= body + length;
}
