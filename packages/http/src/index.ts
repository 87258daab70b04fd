// Exported so that the request fields that `access.ts` declares, such as `caller`, are known wherever this package is
// imported, also from its build.
export { accessRefusal, type OnRoleRefused } from './access.ts';
export { actorOf } from './actor.ts';
export { bindOperations, type Handler, type Handlers, type RequestOf } from './bind.ts';
export { refuseEncodedBodies } from './bodies.ts';
export { networkOf, normalAddress } from './client-address.ts';
export { createCursors, type Cursors } from './cursors.ts';
export { prepareDrain, type Draining } from './drain.ts';
export { openEventStream, type EventStream, type ServerSentEvent } from './event-stream.ts';
export {
  acceptIdempotencyKeys,
  newIdFor,
  noteForReplay,
  noteOf,
  seedOf,
  type IdempotencyRecord,
  type IdempotencyStore,
} from './idempotency.ts';
export { measureRequests } from './metrics.ts';
export { preferredLanguage } from './preferred-language.ts';
export { answerWithProblems, problemBody, sendProblem, type ToRefusal } from './problems.ts';
export { serveProbes, type Checks, type Readiness, type ReadinessChecks } from './probes.ts';
export { checkRawType, createBodyRoom, needsRoom, takesType } from './raw-bodies.ts';
export { createDocumentSender, type DocumentFile, type SendDocument } from './send-document.ts';
export { writerOf } from './serialization.ts';
export { createServer, type Server, type ServerOptions } from './server.ts';
export { createSingleFlight, type SingleFlight } from './single-flight.ts';
export { streamPages } from './stream-pages.ts';
export { requestIdOf, traceparentOf } from './tracing.ts';
export { answerUnchanged, etagOf, ifMatch, sendVersioned } from './versions.ts';
export { clientAreaOf, openApiDocument, type ApiInfo, type OpenApiDocument } from './openapi/document.ts';
