import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { tell } from '../api/problems.ts';
import { t, wordFor } from '../language/index.ts';
import { Icon, type IconName } from './icon.tsx';
import css from './parts.module.css';

/** `warning` leads to something dangerous, `danger` does it. */
export type Tone = 'primary' | 'plain' | 'quiet' | 'warning' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: Tone;
  readonly icon?: IconName;
  /** Shows the icon alone; the label is its name for those who do not see it. */
  readonly label?: string;
}

/** A disabled button keeps the focus, so that whoever has pressed it is not led elsewhere by that. */
export function Button(props: ButtonProps) {
  const { tone = 'plain', icon, label, children, type = 'button', disabled = false, onClick, ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={disabled || undefined}
      onClick={(event) => (disabled ? event.preventDefault() : onClick?.(event))}
      className={css.button}
      data-tone={tone}
      data-square={label === undefined ? undefined : ''}
      aria-label={label}
      title={label}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface LinkProps {
  /** The path of a page of the console, with its query. */
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly isCurrent?: boolean;
}

/** A link within the console, which `followLinks` follows. */
export function A({ to, children, className, isCurrent = false }: LinkProps) {
  return (
    <a href={`/console${to}`} className={className} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}

export function LinkButton({ to, icon, children }: { to: string; icon?: IconName; children: ReactNode }) {
  return (
    <A to={to} className={css.button}>
      {icon && <Icon name={icon} />}
      {children}
    </A>
  );
}

type BadgeTone = 'good' | 'warn' | 'bad' | 'accent' | 'neutral';

// What needs nobody is green or grey, what needs somebody amber, what has failed red.
const tones: Readonly<Record<string, BadgeTone>> = {
  ...tonesOf(
    'good',
    'active placed paid approved delivered succeeded done processed up ready shipped received created',
  ),
  ...tonesOf('warn', 'pending pending-approval awaiting-payment overdue info-requested suspended partial requested'),
  ...tonesOf('warn', 'unallocated degraded refunded closing duplicate stale paused scheduled warned running'),
  ...tonesOf(
    'bad',
    'refused rejected failed disputed stuck refund-failed bad_signature suppressed disabled down erasing',
  ),
  ...tonesOf('accent', 'open on-account draft admin trade changed'),
};

function tonesOf(tone: BadgeTone, values: string): Record<string, BadgeTone> {
  return Object.fromEntries(values.split(' ').map((value) => [value, tone]));
}

/** A value of the API, such as a status, as a coloured word. */
export function Badge({ value, tone }: { value: string; tone?: BadgeTone }) {
  return (
    <span className={css.badge} data-tone={tone ?? tones[value] ?? 'neutral'}>
      {wordFor(value)}
    </span>
  );
}

export function Card({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={css.card}>
      {(title !== undefined || actions) && (
        <div className={css.cardHead}>
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </div>
      )}
      <div className={css.cardBody}>{children}</div>
    </section>
  );
}

interface PageHeadProps {
  readonly title: string;
  readonly badges?: ReactNode;
  readonly sub?: ReactNode;
  readonly children?: ReactNode;
}

/** The head of a page: what it is about, and what can be done there. */
export function PageHead({ title, badges, sub, children }: PageHeadProps) {
  return (
    <header className={css.pageHead}>
      <div className={css.pageTitle}>
        <div className={css.titleLine}>
          <h1>{title}</h1>
          {badges}
        </div>
        {sub && <div className="muted">{sub}</div>}
      </div>
      {children && <div className={css.actions}>{children}</div>}
    </header>
  );
}

export const Stack = ({ children }: { children: ReactNode }) => <div className={css.stack}>{children}</div>;
export const Columns = ({ children }: { children: ReactNode }) => <div className={css.columns}>{children}</div>;
export const Grid = ({ children }: { children: ReactNode }) => <div className={css.grid}>{children}</div>;
export const Row = ({ children }: { children: ReactNode }) => <div className={css.row}>{children}</div>;

/** Names with their values. Values that are undefined are left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {of
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd>{value === null || value === '' ? '–' : value}</dd>
          </div>
        ))}
    </dl>
  );
}

export interface TimelineItem {
  readonly key: string;
  readonly what: ReactNode;
  readonly when: string;
  readonly more?: ReactNode;
}

export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className={css.timeline}>
      {items.map(({ key, what, when, more }) => (
        <li key={key}>
          <div>{what}</div>
          <div className="muted">{when}</div>
          {more}
        </li>
      ))}
    </ol>
  );
}

export function Note({ tone, children }: { tone?: 'bad' | 'warn' | 'good'; children: ReactNode }) {
  return (
    <div className={css.note} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={tone === 'good' ? 'check' : tone ? 'alert' : 'info'} />
      <div>{children}</div>
    </div>
  );
}

/** What went wrong, with the id of the request, by which whoever runs the shop finds it in the logs. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const { sentence, requestId } = tell(error);
  return (
    <Note tone="bad">
      <p>{sentence}</p>
      {requestId !== undefined && (
        <p className="mono">
          {t.requestId} {requestId}
        </p>
      )}
      {retry && <Button onClick={retry}>{t.tryAgain}</Button>}
    </Note>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div className={css.stack} role="status" aria-label={t.loading}>
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className={css.skeleton} />
      ))}
    </div>
  );
}

/** A figure, which leads to what it counts. */
export function Stat({ to, value, label, sub }: { to?: string; value: ReactNode; label: string; sub?: ReactNode }) {
  const content = (
    <>
      <span className="muted">{label}</span>
      <b>{value}</b>
      {sub && <span className="muted">{sub}</span>}
    </>
  );
  return (
    <div className={css.card}>
      {to === undefined ? (
        <div className={css.stat}>{content}</div>
      ) : (
        <A to={to} className={css.stat}>
          {content}
        </A>
      )}
    </div>
  );
}

/** Pages that belong together. */
export function Tabs({
  tabs,
  current,
  label,
}: {
  tabs: readonly (readonly [to: string, title: string])[];
  current: string;
  label: string;
}) {
  return (
    <nav className={css.tabs} aria-label={label}>
      {tabs.map(([to, title]) => (
        <A key={to} to={to} isCurrent={to === current}>
          {title}
        </A>
      ))}
    </nav>
  );
}
