import { t } from '../language/index.ts';
import { Empty, LinkButton } from '../parts/basics.tsx';

export function NotFound() {
  return (
    <Empty title={t.noPage}>
      <LinkButton to="/">{t.pages.home}</LinkButton>
    </Empty>
  );
}
