import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface Draining {
  /** Every answer from here on has to say `Connection: close`. */
  readonly isDraining: () => boolean;
  /** How many requests are being worked on. */
  readonly underWay: () => number;
  /** Takes no new connection, finishes what is under way, lets clients leave without an error, then closes the app. */
  readonly drain: () => Promise<void>;
}

// Clients are told to close with their next answer; where so many looks in a row find nothing to do, no request is coming.
// Looks and not time: a process that was held up has not read yet what came meanwhile.
const idleLooks = 60;
const lookEveryMs = 10;
// An orchestrator kills what takes ten seconds to end.
const deadlineMs = 8000;

/** Prepares an app to be closed while clients are calling it. */
export function prepareDrain(app: FastifyInstance): Draining {
  let draining = false;
  let underWay = 0;
  let seen = 0;
  const leave = () => (underWay -= 1);
  app.addHook('onRequest', (_request, reply, done) => {
    underWay += 1;
    seen += 1;
    // Comes once for every request, also where the client left before its answer.
    reply.raw.once('close', leave);
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining) void reply.header('connection', 'close');
    done(null, payload);
  });
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((error, count) => resolve(error ? 0 : count)));

  return {
    isDraining: () => draining,
    underWay: () => underWay,
    drain: async () => {
      if (draining) return;
      draining = true;
      // Of net's own, since http's hangs up on idle connections at once, where a request may be on its way.
      if (app.server.listening) Server.prototype.close.call(app.server);
      const begun = Date.now();
      let idle = 0;
      while (Date.now() - begun < deadlineMs && idle < idleLooks && (await connections()) > 0) {
        const seenBefore = seen;
        await wait(lookEveryMs);
        idle = underWay === 0 && seen === seenBefore ? idle + 1 : 0;
      }
      // Whoever has not taken an answer by now never will: that must not keep the process.
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
