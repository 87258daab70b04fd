import { auditRecord, fact, type Actor, type auditEvents } from '@storefront/contracts';
import type { AuditNotes } from '@storefront/mongo';
import type { Logger } from 'pino';

/** A request that was refused because of its caller's role. */
interface RoleRefusal {
  readonly actor: Actor & { readonly userId: string };
  /** Method and path, such as `GET /v1/audit`. */
  readonly operation: string;
  /** The code of the error. */
  readonly reason: string;
}

interface Counted {
  readonly refusal: RoleRefusal;
  /** The number of refusals after the first one. */
  more: number;
}

export interface NotedRefusals {
  note(refusal: RoleRefusal): void;
  /** Notes the number of further refusals for each user and operation. Called once a minute. */
  endMinute(): Promise<void>;
}

// A user without rights may send hundreds of requests a second. These limits keep that to a few writes a minute.
const operationsOfUser = 20;
const mostCounted = 1000;

/**
 * Notes refusals in the audit log without a write for each refusal. The first refusal of a user and operation is noted
 * at once, the number of further ones at the end of the minute. Per minute, at most 20 operations of a user and 1,000
 * pairs of user and operation in total are noted.
 */
export function noteRefusals(needs: {
  readonly contract: (typeof auditEvents)[keyof typeof auditEvents];
  readonly auditNotes: AuditNotes;
  readonly logger: Logger;
}): NotedRefusals {
  let counted = new Map<string, Map<string, Counted>>();
  let size = 0;

  async function add({ actor, operation, reason }: RoleRefusal, attempts: number): Promise<void> {
    const object = { type: 'operation', id: operation };
    const record = auditRecord(actor, 'access-refused', { object, refused: reason, details: { attempts } });
    try {
      await needs.auditNotes.add(fact(needs.contract, operation, record));
    } catch (error) {
      needs.logger.error({ err: error }, 'a refusal is missing in the audit log');
    }
  }

  return {
    note(refusal) {
      const ofUser = counted.get(refusal.actor.userId) ?? new Map<string, Counted>();
      const known = ofUser.get(refusal.operation);
      if (known) known.more += 1;
      if (known || size >= mostCounted || ofUser.size >= operationsOfUser) return;
      counted.set(refusal.actor.userId, ofUser.set(refusal.operation, { refusal, more: 0 }));
      size += 1;
      void add(refusal, 1);
    },
    async endMinute() {
      const ended = [...counted.values()].flatMap((ofUser) => [...ofUser.values()]);
      counted = new Map();
      size = 0;
      for (const { refusal, more } of ended) if (more > 0) await add(refusal, more);
    },
  };
}
