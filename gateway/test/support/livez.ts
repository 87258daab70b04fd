import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers what a gateway asks on each connection before its first request; whether this was it. */
export function answersLivez({ url }: IncomingMessage, response: ServerResponse): boolean {
  if (url !== '/livez') return false;
  response.end('{"status":"ok"}');
  return true;
}
