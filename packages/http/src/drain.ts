import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface Draining {
  /** Whether the app is closing: answers then say `Connection: close`. */
  readonly isDraining: () => boolean;
  /** How many requests are being worked on. */
  readonly underWay: () => number;
  /** Accepts no new connection, answers requests under way, lets clients leave without errors, then closes the app. */
  readonly drain: () => Promise<void>;
}

// The next answer of each connection says `Connection: close`. After so many checks in a row without a request, none is on
// its way. Checks are counted, not time: a process that was blocked has not yet read what arrived meanwhile.
const idleChecks = 60;
const checkEveryMs = 10;
// An orchestrator kills a process that takes ten seconds to end.
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
      // The method of `net`: the one of `http` closes idle connections at once, though a request may be on its way.
      if (app.server.listening) Server.prototype.close.call(app.server);
      const begun = Date.now();
      let idle = 0;
      while (Date.now() - begun < deadlineMs && idle < idleChecks && (await connections()) > 0) {
        const seenBefore = seen;
        await wait(checkEveryMs);
        idle = underWay === 0 && seen === seenBefore ? idle + 1 : 0;
      }
      // A client that has not read its answer by now must not keep the process alive.
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
