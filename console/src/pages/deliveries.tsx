import type { Delivery as Sent } from '@storefront/client';
import { useParams } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useRead } from '../api/reads.ts';
import { ago, dateTime } from '../format.ts';
import { t, wordFor } from '../language/index.ts';
import { act } from '../parts/action.tsx';
import {
  A,
  Badge,
  Button,
  Card,
  Columns,
  Facts,
  Loading,
  Note,
  PageHead,
  Problem,
  Stack,
  Timeline,
} from '../parts/basics.tsx';
import { DataTable } from '../parts/data-table.tsx';
import css from './deliveries.module.css';

const retry = (id: string) => api.notifications.retryDelivery({ params: { id } });
const mayRetry = ({ status }: Sent) => status === 'failed' || status === 'suppressed' || status === 'expired';

export function Deliveries() {
  return (
    <>
      <PageHead title={t.pages.deliveries} sub={t.deliveries.sub} />
      <DataTable<Sent, Parameters<typeof api.notifications.listDeliveries>[0]>
        list={api.notifications.listDeliveries}
        label={t.pages.deliveries}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/deliveries/${id}`}
        nameOf={({ template, email }) => `${template} ${email ?? ''}`}
        columns={[
          { title: t.deliveries.what, isName: true, cell: ({ template }) => wordFor(template) },
          { title: t.deliveries.to, cell: ({ email, userId }) => email ?? userId ?? '–' },
          { title: t.deliveries.channel, cell: ({ channel }) => channel },
          { title: t.when, cell: ({ createdAt }) => ago(createdAt) },
          { title: t.status, cell: ({ status }) => <Badge value={status} /> },
          {
            title: t.deliveries.answer,
            cell: ({ attempts, reason }) => attempts.at(-1)?.answer ?? (reason === null ? '–' : wordFor(reason)),
          },
        ]}
        bulk={[
          {
            title: t.deliveries.retry,
            icon: 'refresh',
            whyNot: (sent) => (mayRetry(sent) ? null : t.deliveries.noRetry),
            run: ({ id }) => retry(id),
          },
        ]}
      />
    </>
  );
}

export function Delivery() {
  const { id = '' } = useParams({ strict: false });
  const { data: sent, error } = useRead(api.notifications.getDelivery, { params: { id } });
  if (error) return <Problem error={error} />;
  if (!sent) return <Loading lines={8} />;
  return (
    <>
      <PageHead title={wordFor(sent.template)} badges={<Badge value={sent.status} />} sub={sent.email ?? sent.userId}>
        {mayRetry(sent) && (
          <Button icon="refresh" tone="primary" onClick={() => void act(t.deliveries.retry, () => retry(id))}>
            {t.deliveries.retry}
          </Button>
        )}
      </PageHead>
      <Stack>
        {sent.reason !== null && <Note tone={sent.status === 'failed' ? 'bad' : 'warn'}>{wordFor(sent.reason)}</Note>}
        <Columns>
          <Card title={t.deliveries.attempts}>
            {sent.attempts.length === 0 && <p className="muted">{t.none}</p>}
            <Timeline
              items={sent.attempts.toReversed().map(({ at, outcome, answer, milliseconds }, index) => ({
                key: `${at}-${index}`,
                what: (
                  <Badge
                    value={outcome}
                    tone={outcome === 'accepted' ? 'good' : outcome === 'refused' ? 'bad' : 'warn'}
                  />
                ),
                when: `${dateTime(at)} · ${milliseconds} ms`,
                more: <p className="mono">{answer}</p>,
              }))}
            />
          </Card>
          <Card title={t.deliveries.delivery}>
            <Facts
              of={[
                [t.deliveries.channel, sent.channel],
                [t.deliveries.category, wordFor(sent.category)],
                [t.deliveries.to, sent.email],
                [t.order.account, sent.userId ? <A to={`/people/${sent.userId}`}>{sent.userId}</A> : null],
                [t.deliveries.messageId, sent.messageId],
                [t.when, dateTime(sent.createdAt)],
                [t.deliveries.next, sent.nextAttemptAt ? dateTime(sent.nextAttemptAt) : undefined],
                [t.deliveries.delivered, sent.deliveredAt ? dateTime(sent.deliveredAt) : undefined],
              ]}
            />
          </Card>
        </Columns>
        {sent.channel === 'EMAIL' && <Mail id={id} wasSent={sent.status !== 'recorded'} />}
      </Stack>
    </>
  );
}

/** The mail as its reader gets it, as long as its content is kept. */
function Mail({ id, wasSent }: { id: string; wasSent: boolean }) {
  const { data, error } = useRead(api.notifications.getDeliveryMail, { params: { id } });
  const content = data?.content;
  return (
    <Card title={content?.subject ?? t.deliveries.mail}>
      {error ? (
        <Problem error={error} />
      ) : !data ? (
        <Loading lines={6} />
      ) : !content ? (
        <p className="muted">{wasSent ? t.deliveries.notKept : t.deliveries.neverWritten}</p>
      ) : (
        <Stack>
          <Note>{t.deliveries.writtenAgain}</Note>
          <iframe
            key={content.html}
            title={t.deliveries.mail}
            src="/console/mail.html"
            sandbox="allow-scripts"
            className={css.mail}
            onLoad={({ currentTarget }) => currentTarget.contentWindow?.postMessage({ mail: content.html }, '*')}
          />
          <details>
            <summary>{t.deliveries.asText}</summary>
            <pre className={css.text}>{content.text}</pre>
          </details>
        </Stack>
      )}
    </Card>
  );
}
