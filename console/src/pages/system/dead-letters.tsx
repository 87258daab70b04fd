import type { DeadLetter } from '@storefront/client';
import { api } from '../../api/client.ts';
import { dateTime, number } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { Note, PageHead, Row } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { SystemTabs } from './tabs.tsx';

/** Events that no handler could take: what they are, why, and what to do with them. */
export function DeadLetters() {
  return (
    <>
      <PageHead title={t.home.deadLetters} sub={t.system.deadSub} />
      <SystemTabs current="/system/dead-letters" />
      <DataTable<DeadLetter, Parameters<typeof api.deadLetters.listDeadLetters>[0]>
        list={api.deadLetters.listDeadLetters}
        label={t.home.deadLetters}
        keyOf={({ queue, position }) => `${queue} ${position}`}
        empty={t.system.noneDead}
        columns={[
          { title: t.system.event, cell: ({ event }) => <strong>{event?.type ?? t.system.unreadable}</strong> },
          { title: t.system.about, cell: ({ event }) => <span className="mono">{event?.subject ?? '–'}</span> },
          { title: t.system.queue, cell: ({ queue }) => queue },
          { title: t.reason, cell: ({ reason }) => reason },
          { title: t.system.attempts, align: 'end', cell: ({ attempts }) => number(attempts) },
          { title: t.when, cell: ({ deadSince }) => dateTime(deadSince) },
          { title: t.more, cell: ({ event }) => event && <Fate event={event.id} /> },
        ]}
      />
    </>
  );
}

function Fate({ event }: { event: string }) {
  return (
    <Row>
      <Action
        title={t.system.replay}
        icon="refresh"
        initial={{}}
        fields={() => <p>{t.system.replayWhy}</p>}
        run={() => api.deadLetters.replayDeadLetters({ body: { event } })}
        snippet={() => ({ area: 'deadLetters', id: 'replayDeadLetters', input: { body: { event } } })}
      />
      <Action
        title={t.system.drop}
        tone="danger"
        initial={{}}
        fields={() => <Note tone="warn">{t.system.dropWhy}</Note>}
        run={() => api.deadLetters.dropDeadLetters({ body: { event } })}
      />
    </Row>
  );
}
