import { api } from '../api/client.ts';
import { useRead } from '../api/reads.ts';
import { ago, dateTime } from '../format.ts';
import { t } from '../language/index.ts';
import { act } from '../parts/action.tsx';
import { Badge, Button, Card, Facts, Loading, PageHead, Problem, Row, Stack, Timeline } from '../parts/basics.tsx';
import { Authenticator } from '../shell/authenticator.tsx';
import { userOf, useSession } from '../shell/session.ts';

/** The account of whoever is signed in: second factors, devices, and what was done with it. */
export function Account() {
  const session = useSession();
  const mfa = useRead(api.secondFactor.getMfa, {});
  const sessions = useRead(api.auth.listSessions, { query: { limit: 50 } });
  const activity = useRead(api.users.listActivity, { query: { limit: 20 } });
  const user = userOf(session);
  if (!user) return null;
  return (
    <>
      <PageHead title={`${user.firstName} ${user.lastName}`} badges={<Badge value={user.role} />} sub={user.email} />
      <Stack>
        <Card title={t.accountPage.factors}>
          {mfa.data ? (
            <Stack>
              <Facts
                of={[
                  [t.methods.totp, mfa.data.totp ? t.accountPage.since(dateTime(mfa.data.totp.confirmedAt)) : t.none],
                  [t.accountPage.passkeys, String(mfa.data.passkeys)],
                  [t.accountPage.codesLeft, String(mfa.data.recoveryCodesLeft)],
                ]}
              />
              <Authenticator />
            </Stack>
          ) : mfa.error ? (
            <Problem error={mfa.error} />
          ) : (
            <Loading />
          )}
        </Card>
        <Card title={t.accountPage.sessions}>
          <Timeline
            items={(sessions.data?.data ?? []).map(({ id, device, ip, current, lastUsedAt }) => ({
              key: id,
              what: (
                <Row>
                  <span>{device ?? t.unknownDevice}</span>
                  {current && <Badge value="current" tone="good" />}
                </Row>
              ),
              when: `${ip ?? ''} · ${ago(lastUsedAt)}`,
              more: !current && (
                <Button onClick={() => void act(t.endSession, () => api.auth.endSession({ params: { id } }))}>
                  {t.endSession}
                </Button>
              ),
            }))}
          />
        </Card>
        <Card title={t.accountPage.activity}>
          <Timeline
            items={(activity.data?.data ?? []).map(({ id, action, at, outcome }) => ({
              key: id,
              what: (
                <Row>
                  <code>{action}</code>
                  <Badge value={outcome} />
                </Row>
              ),
              when: dateTime(at),
            }))}
          />
        </Card>
      </Stack>
    </>
  );
}
