import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

let server: Server;
let url: URL;
let head: string;

beforeEach(async () => {
  server = newServer();
  server.app.get<{ Params: { text: string } }>(
    '/v1/long/:text',
    { config: { access: 'public' } },
    ({ params }, reply) => reply.type('text/plain; charset=utf-8').send(longOf(params.text)),
  );
  url = new URL(await server.listen('127.0.0.1', 0));
  const token = Object.entries(await tokenOf(null)).map(([name, value]) => `${name}: ${value}\r\n`);
  head = `host: kit\r\n${token.join('')}`;
});
afterEach(() => server.drain());

// Of two bytes in each third character, and never as long as another one.
function longOf(text: string): string {
  return `${text}-ü`.repeat(4000 + Number(text));
}

function pathOf(text: string): string {
  return `/v1/long/${text}`;
}

async function get(text: string): Promise<string> {
  return (await fetch(new URL(pathOf(text), url), { headers: await tokenOf(null) })).text();
}

/** Asks for all of them on one connection at once. Nothing is read before `open` is called. */
function askAtOnce(texts: readonly string[]) {
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  socket.pause();
  for (const text of texts) socket.write(`GET ${pathOf(text)} HTTP/1.1\r\n${head}\r\n`);
  return {
    socket,
    async open(): Promise<string[]> {
      const received: Buffer[] = [];
      const expected = texts.reduce((total, text) => total + Buffer.byteLength(longOf(text)), 0);
      let bytes = 0;
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        received.push(chunk);
        bytes += chunk.length;
        // Headers come on top of it, so the last answer is there only later.
        if (bytes >= expected && bodiesOf(Buffer.concat(received)).length === texts.length) break;
      }
      return bodiesOf(Buffer.concat(received));
    },
  };
}

function bodiesOf(received: Buffer): string[] {
  const bodies: string[] = [];
  for (let at = 0; at < received.length;) {
    const end = received.indexOf('\r\n\r\n', at);
    const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', at, end))?.[1]);
    if (end < 0 || !(end + 4 + length <= received.length)) break;
    bodies.push(received.toString('utf8', end + 4, end + 4 + length));
    at = end + 4 + length;
  }
  return bodies;
}

it('a client that reads late gets its answers whole, whatever others were answered meanwhile', async () => {
  const texts = Array.from({ length: 300 }, (_, at) => String(100 + at));
  const late = askAtOnce(texts);
  await once(late.socket, 'connect');
  for (let round = 0; round < 20; round += 1) {
    const others = Array.from({ length: 30 }, (_, at) => String(500 + at));
    expect(await Promise.all(others.map(get))).toEqual(others.map(longOf));
  }
  expect(await late.open()).toEqual(texts.map(longOf));
});

it('clients that leave before their answers take nothing from the answers of others', async () => {
  for (let round = 0; round < 10; round += 1) {
    const leaving = askAtOnce(Array.from({ length: 300 }, (_, at) => String(100 + at)));
    await once(leaving.socket, 'connect');
    expect(await get('600')).toBe(longOf('600'));
    leaving.socket.destroy();
    const others = Array.from({ length: 30 }, (_, at) => String(700 + at));
    expect(await Promise.all(others.map(get))).toEqual(others.map(longOf));
  }
});

it('an answer that is longer than its memory is whole', async () => {
  expect(await get('40000')).toBe(longOf('40000'));
});
