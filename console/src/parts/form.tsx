import { createContext, useContext, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Told } from '../api/problems.ts';
import { t } from '../language/index.ts';
import css from './form.module.css';

/** The values of a form, and what was wrong with them when they were sent. */
export interface Form<Values extends object> {
  readonly values: Values;
  readonly isDirty: boolean;
  readonly problem: Told | null;
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  readonly reset: (values?: Values) => void;
  readonly setProblem: (problem: Told | null) => void;
}

export function useForm<Values extends object>(initial: Values): Form<Values> {
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(initial);
  const [problem, setProblem] = useState<Told | null>(null);
  return useMemo(
    () => ({
      values,
      isDirty: values !== start && JSON.stringify(values) !== JSON.stringify(start),
      problem,
      set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
      reset(next = start) {
        setStart(next);
        setValues(next);
        setProblem(null);
      },
      setProblem,
    }),
    [values, start, problem],
  );
}

/**
 * The form of something that was read. It begins anew with each version that is read, until something is typed: then it stays with
 * the version that it was typed over, `of`, whatever is read meanwhile.
 */
export function useFormOf<State extends object, Values extends object>(
  latest: State,
  valuesOf: (state: State) => Values,
): { readonly form: Form<Values>; readonly of: State } {
  const [of, setOf] = useState(latest);
  const form = useForm(valuesOf(of));
  if (latest !== of && !form.isDirty) {
    setOf(latest);
    form.reset(valuesOf(latest));
  }
  return { form, of };
}

const Problems = createContext<Told | null>(null);
/** Lets fields show what was wrong with them, by their pointers. */
export const ProblemsProvider = Problems.Provider;

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The JSON pointer of the field in the body, such as `/reason`. */
  readonly pointer?: string | undefined;
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

function Field({ label, hint, pointer, children }: FieldProps & { children: (props: Described) => ReactNode }) {
  const id = useId();
  const problem = useContext(Problems);
  const message = pointer === undefined ? undefined : messageOf(problem, pointer);
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': message || hint ? `${id}-more` : undefined,
        'aria-invalid': message ? true : undefined,
      })}
      {(message || hint) && (
        <div id={`${id}-more`} className={message ? css.error : css.hint}>
          {message ?? hint}
        </div>
      )}
    </div>
  );
}

function messageOf(problem: Told | null, pointer: string): string | undefined {
  const found = Object.entries(problem?.fields ?? {}).find(([at]) => at === pointer || at.startsWith(`${pointer}/`));
  return found?.[1];
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'number' | 'url' | 'search';
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly inputMode?: 'numeric' | 'decimal';
  readonly rows?: number;
}

export function TextField({ label, hint, pointer, value, onChange, rows, type = 'text', ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} pointer={pointer}>
      {(props) =>
        rows === undefined ? (
          <input
            {...props}
            {...rest}
            type={type}
            className={css.input}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <textarea
            {...props}
            required={rest.required}
            rows={rows}
            className={css.input}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}

const pauseMs = 500;

/**
 * A day that is looked up once it is typed. It is typed part by part, and meanwhile is another day, or none: what a part of it finds
 * must not take the place of what is being typed.
 */
export function DayField({ label, value, onChange }: Pick<TextProps, 'label' | 'value' | 'onChange'>) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTyping = useRef(false);
  useEffect(() => {
    if (!isTyping.current) setTyped(value);
  }, [value]);
  const take = (day: string) => {
    clearTimeout(timer.current);
    if (day !== value) onChange(day);
  };
  const end = () => {
    isTyping.current = false;
    take(typed);
    if (typed === '') setTyped(value);
  };
  return (
    <div onBlur={end}>
      <TextField
        label={label}
        type="date"
        value={typed}
        onChange={(day) => {
          isTyping.current = true;
          setTyped(day);
          clearTimeout(timer.current);
          if (/^[1-9]/.test(day)) timer.current = setTimeout(() => take(day), pauseMs);
        }}
      />
    </div>
  );
}

export function MoneyField({ currency, ...props }: Omit<TextProps, 'rows' | 'type'> & { currency: string }) {
  return (
    <Field label={props.label} hint={props.hint} pointer={props.pointer}>
      {(described) => (
        <span className={css.money}>
          <input
            {...described}
            className={css.input}
            inputMode="decimal"
            required={props.required}
            value={props.value}
            onChange={(event) => props.onChange(event.target.value)}
          />
          <span className="muted">{currency}</span>
        </span>
      )}
    </Field>
  );
}

interface ChoiceProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, name: string])[];
  readonly onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ label, hint, pointer, value, choices, onChange }: ChoiceProps<Value>) {
  return (
    <Field label={label} hint={hint} pointer={pointer}>
      {(props) => (
        <select
          {...props}
          className={css.input}
          value={value}
          onChange={(event) => onChange(event.target.value as Value)}
        >
          {choices.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className={css.check}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

export const Fields = ({ children }: { children: ReactNode }) => <div className={css.form}>{children}</div>;
export const Two = ({ children }: { children: ReactNode }) => <div className={css.two}>{children}</div>;

interface PiecesProps {
  readonly lines: readonly { readonly id: string; readonly name: string; readonly most: number }[];
  readonly value: Readonly<Record<string, number>>;
  readonly onChange: (value: Record<string, number>) => void;
}

/** So many pieces of each line of an order. */
export function Pieces({ lines, value, onChange }: PiecesProps) {
  return (
    <table className={css.lines}>
      <thead>
        <tr>
          <th scope="col">{t.order.line}</th>
          <th scope="col">{t.order.pieces}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, name, most }) => (
          <tr key={id}>
            <td>{name}</td>
            <td>
              <input
                type="number"
                className={css.input}
                aria-label={`${t.order.pieces}: ${name}`}
                min={0}
                max={most}
                value={value[id] ?? 0}
                onChange={(event) =>
                  onChange({ ...value, [id]: Math.max(0, Math.min(most, event.target.valueAsNumber || 0)) })
                }
              />{' '}
              <span className="muted">
                {t.of} {most}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The lines of a request: those of which there are pieces. */
export const linesOf = (pieces: Readonly<Record<string, number>>): { lineId: string; quantity: number }[] =>
  Object.entries(pieces).flatMap(([lineId, quantity]) => (quantity > 0 ? [{ lineId, quantity }] : []));
