import { array, assert, nat, noBias, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { createRevocations } from '../gateway/src/domain/revocations.ts';
import { createWaitingChecks } from '../services/identity/src/sessions/domain/revocation-checks.ts';

// The protocol without servers: two gateways and two instances of identity, whose decisions are those of the product, and
// between them a broker, links and a database that do what such things may do. Every message waits in the order of its link for
// as long as it likes, so a link that is held and a process that is halted are among what happens; queues are lost
// and bound again. Nobody has a clock that another one could read.

const maxAgeMs = 600;
const mostPauseMs = 30;

type Message =
  | { readonly kind: 'check'; readonly gateway: number; readonly check: number }
  | { readonly kind: 'revoked'; readonly session: string }
  | { readonly kind: 'answer'; readonly checks: ReadonlyMap<number, number> }
  | { readonly kind: 'confirm'; readonly session: string };

/** Delivers in order, whenever it is asked to. */
interface Link {
  readonly waiting: Message[];
  readonly deliver: (message: Message) => void;
}

interface Action {
  readonly name: string;
  /** How often it happens, beside the others. */
  readonly weight: number;
  readonly happen: () => void;
}

function createSystem() {
  let now = 0;
  let logouts = 0;
  const links: Link[] = [];
  // The database: each revocation with when its logout was acknowledged, and whether its event waits to be published.
  const acknowledged = new Map<string, number>();
  const unpublished = new Set<string>();
  const link = (deliver: Link['deliver']): Link => {
    const made = { waiting: [], deliver };
    links.push(made);
    return made;
  };

  const identities = [0, 1].map((self) => {
    const checks = createWaitingChecks();
    const toBroker = link((message) => route(message, self));
    const fromBroker = link((message) => {
      if (message.kind === 'check') checks.add(String(message.gateway), message.check);
      if (message.kind === 'confirm') unpublished.delete(message.session);
    });
    // An answer goes through these three steps; it may be halted before each.
    let afterRead: ReturnType<typeof checks.beginRead> | undefined;
    let found: ReadonlySet<string> | undefined;
    const actions = (): Action[] => [
      {
        name: `logout at identity ${self}`,
        weight: 2,
        happen() {
          const session = `s${(logouts += 1)}`;
          acknowledged.set(session, now);
          unpublished.add(session);
        },
      },
      // Any instance sweeps what any has written.
      ...[...unpublished].map((session) => ({
        name: `identity ${self} publishes ${session}`,
        weight: 4,
        happen: () => void toBroker.waiting.push({ kind: 'revoked', session }),
      })),
      afterRead === undefined
        ? {
            name: `identity ${self} takes the checks`,
            weight: 10,
            happen: () => void (afterRead = checks.beginRead()),
          }
        : found === undefined
          ? { name: `identity ${self} reads`, weight: 10, happen: () => void (found = new Set(unpublished)) }
          : { name: `identity ${self} answers`, weight: 10, happen: answer },
    ];
    function answer() {
      const answered = found && afterRead?.(found);
      const numbers = [...(answered ?? [])].map(([gateway, check]) => [Number(gateway), check] as const);
      if (numbers.length > 0) toBroker.waiting.push({ kind: 'answer', checks: new Map(numbers) });
      afterRead = undefined;
      found = undefined;
    }
    return { fromBroker, actions };
  });

  const gateways = [0, 1].map((self) => {
    const table = createRevocations({ maxAgeMs, keptMs: 3_600_000 });
    // Where a clock begins says nothing.
    const clock = () => now + self * 1_000_000;
    const toBroker = link((message) => route(message, 0));
    const newQueue = () =>
      link((message) => {
        if (message.kind === 'revoked') table.revokeSession(message.session, clock());
        const check = message.kind === 'answer' ? message.checks.get(self) : undefined;
        if (check !== undefined) table.checkAnswered(check);
      });
    // What the broker routes to, and what the gateway believes to have: the broker may lose a queue first.
    let routed: Link | undefined;
    let bound: Link | undefined;
    let snapshot: string[] | undefined;
    let loading = false;
    const bind = () => {
      routed = bound = newQueue();
      table.bound();
      loading = true;
    };
    bind();
    const actions = (): Action[] => [
      {
        name: `gateway ${self} sends a check`,
        weight: 5,
        happen: () => void toBroker.waiting.push({ kind: 'check', gateway: self, check: table.nextCheck(clock()) }),
      },
      ...(routed
        ? [{ name: `the queue of gateway ${self} is gone`, weight: 2, happen: () => void (routed = undefined) }]
        : []),
      ...(bound && !routed
        ? [
            {
              name: `gateway ${self} notices`,
              weight: 10,
              happen() {
                if (bound) bound.waiting.length = 0;
                bound = undefined;
                loading = false;
                snapshot = undefined;
                table.lost();
              },
            },
          ]
        : []),
      ...(bound ? [] : [{ name: `gateway ${self} binds`, weight: 20, happen: bind }]),
      ...(loading && !snapshot
        ? [
            {
              name: `gateway ${self} reads a snapshot`,
              weight: 6,
              happen: () => void (snapshot = [...acknowledged.keys()]),
            },
          ]
        : []),
      ...(snapshot
        ? [
            {
              name: `gateway ${self} has the snapshot`,
              weight: 6,
              happen() {
                for (const session of snapshot ?? []) table.revokeSession(session, clock());
                snapshot = undefined;
                loading = false;
                table.snapshotLoaded();
              },
            },
          ]
        : []),
    ];
    return {
      actions,
      queue: () => routed,
      accepts: (session: string) => table.isComplete(clock()) && !table.isRevoked({ sub: 'u', sid: session, ver: 1 }),
      isComplete: () => table.isComplete(clock()),
    };
  });

  /** The broker: what has a queue gets the message, and then it is confirmed. */
  function route(message: Message, publisher: number): void {
    if (message.kind === 'check') for (const { fromBroker } of identities) fromBroker.waiting.push(message);
    else for (const { queue } of gateways) queue()?.waiting.push(message);
    if (message.kind === 'revoked') identities[publisher]?.fromBroker.waiting.push({ ...message, kind: 'confirm' });
  }

  return {
    /** Everything that may happen next. */
    actions(): Action[] {
      const deliveries = links
        .filter(({ waiting }) => waiting.length > 0)
        .map(({ waiting, deliver }) => ({
          name: 'a message arrives',
          weight: 60,
          happen() {
            const next = waiting.shift();
            if (next) deliver(next);
          },
        }));
      return [
        ...deliveries,
        ...identities.flatMap(({ actions }) => actions()),
        ...gateways.flatMap(({ actions }) => actions()),
      ];
    },
    pause: (ms: number) => void (now += ms),
    isAnyComplete: () => gateways.some(({ isComplete }) => isComplete()),
    /** Logouts that were acknowledged too long ago for a gateway to accept their tokens still, and one does. */
    late: () =>
      [...acknowledged].filter(
        ([session, at]) => now - at > maxAgeMs && gateways.some(({ accepts }) => accepts(session)),
      ),
  };
}

function chosen(actions: readonly Action[], choice: number): Action {
  let left = choice % actions.reduce((sum, { weight }) => sum + weight, 0);
  return actions.find(({ weight }) => (left -= weight) < 0) as Action;
}

it('a token is accepted for no longer than the table may be old, whatever is late, lost or halted', () => {
  let complete = 0;
  const step = record({ choice: noBias(nat(1_000_000)), pauseMs: noBias(nat(mostPauseMs)) });
  assert(
    property(array(step, { minLength: 100, maxLength: 400, size: 'max' }), (steps) => {
      const system = createSystem();
      const story: string[] = [];
      for (const { choice, pauseMs } of steps) {
        const { name, happen } = chosen(system.actions(), choice);
        system.pause(pauseMs);
        happen();
        story.push(name);
        if (system.isAnyComplete()) complete += 1;
        expect(system.late(), story.join('; ')).toEqual([]);
      }
    }),
    { numRuns: 500, endOnFailure: true },
  );
  // Else nothing was shown.
  expect(complete).toBeGreaterThan(1000);
});
