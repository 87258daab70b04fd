import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface Draining {
  /** Whether the app is closing. Its answers then have `Connection: close`. */
  readonly isDraining: () => boolean;
  /** How many requests are being worked on. */
  readonly underWay: () => number;
  /**
   * Accepts no new connections, answers the running requests, lets clients leave without errors, then closes the app.
   * Takes about 8 s at most.
   */
  readonly drain: () => Promise<void>;
}

// While draining, each answer has `Connection: close`. After this many checks in a row without a request, no request
// can still be on its way. Checks are counted instead of time, because a process that was blocked has not yet read the
// requests that arrived meanwhile.
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
    // `close` comes once for every request, even if the client left before the answer.
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
      // Calls the method of `net`, because the method of `http` closes idle connections at once, although a request may
      // be on its way.
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
