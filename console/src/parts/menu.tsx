import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import { Icon, type IconName } from './icon.tsx';
import css from './overlay.module.css';

export interface MenuItem {
  readonly name: string;
  readonly icon?: IconName;
  readonly do: () => void;
}

/** A button with a menu of actions. */
export function Menu({
  trigger,
  items,
}: {
  trigger: ReactElement<Record<string, unknown>>;
  items: readonly MenuItem[];
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} sideOffset={6} align="end">
          <Base.Popup className={css.popup}>
            {items.map((item) => (
              <Base.Item key={item.name} className={css.item} onClick={item.do}>
                {item.icon && <Icon name={item.icon} />}
                {item.name}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
