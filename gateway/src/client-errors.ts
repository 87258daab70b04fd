import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, problemBody } from '@storefront/service-kit';

/** Answers what is no HTTP request at all, or never became one, and hangs up. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const body = JSON.stringify(problemBody(problem, '/', randomUUID()));
  const { status } = problem;
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

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(431, 'headers_too_large', 'The headers are larger than allowed.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem(408, 'request_timeout', 'The request took too long to arrive.');
  return new Problem(400, 'malformed_request', 'The request could not be read.');
}
