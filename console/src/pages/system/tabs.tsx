import { mayCall } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { Tabs } from '../../parts/basics.tsx';
import { useRole } from '../../shell/session.ts';

/** The pages about the system. */
export function SystemTabs({ current }: { current: string }) {
  const role = useRole();
  if (!mayCall('listIncidents', role)) return null;
  return (
    <Tabs
      label={t.pages.system}
      current={current}
      tabs={[
        ['/system', t.system.state],
        ['/system/dead-letters', t.home.deadLetters],
        ['/system/audit', t.system.audit],
      ]}
    />
  );
}
