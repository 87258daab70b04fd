import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { commonErrors, statusOf, type Refusal } from '@storefront/contracts';
import { problemBody } from '@storefront/http';

/** Answers a message that Node could not read as a request, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(error.code);
  const status = statusOf[refusal.kind];
  const body = JSON.stringify(problemBody(refusal, '/', randomUUID()));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return commonErrors.headersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return commonErrors.requestTimeout();
  return commonErrors.malformedRequest();
}
