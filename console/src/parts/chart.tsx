import { useEffect, useId, useState } from 'react';
import { t } from '../language/index.ts';
import form from './form.module.css';
import css from './chart.module.css';

interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly show: (value: number) => string;
  readonly kind?: 'line' | 'bars';
}

const [height, left, bottom, top] = [220, 72, 24, 10];
/** The width of a label, with the space around it. */
const labelWidth = 64;
/** While it is laid out, a page may be of no width for a moment. */
const narrowest = 160;

/** A plot, and the same figures as a table for those who do not see it, or want them exactly. */
export function Chart({ title, labels, series, show, kind = 'line' }: ChartProps) {
  const id = useId();
  const [plot, setPlot] = useState<Element | null>(null);
  const width = useWidthOf(plot);
  const values = series.flatMap((one) => one.values).filter((value) => value !== null);
  const most = niceCeiling(Math.max(0, ...values));
  const least = Math.min(0, ...values);
  const y = (value: number) => top + (height - top - bottom) * (1 - (value - least) / (most - least || 1));
  const slot = (width - left - 8) / Math.max(1, labels.length);
  const x = (at: number) => left + slot * (at + 0.5);
  const everyLabel = Math.ceil(labels.length / Math.max(1, Math.floor((width - left) / labelWidth)));
  return (
    <figure className={css.figure}>
      {series.length > 1 && (
        <div className={css.legend}>
          {series.map(({ name }, at) => (
            <span key={name} data-series={at}>
              {name}
            </span>
          ))}
        </div>
      )}
      <svg
        ref={setPlot}
        viewBox={`0 0 ${width} ${height}`}
        height={height}
        role="img"
        aria-labelledby={id}
        className={css.plot}
      >
        <title id={id}>{title}</title>
        {[least, most / 2, most].map((value) => (
          <g key={value}>
            <line x1={left} x2={width - 8} y1={y(value)} y2={y(value)} className={css.grid} />
            <text x={left - 8} y={y(value) + 4} textAnchor="end" className={css.text}>
              {show(value)}
            </text>
          </g>
        ))}
        {labels.map((label, at) =>
          at % everyLabel === 0 ? (
            <text key={label + String(at)} x={x(at)} y={height - 6} textAnchor="middle" className={css.text}>
              {label}
            </text>
          ) : null,
        )}
        {series.map((one, at) =>
          kind === 'bars' ? (
            one.values.map((value, index) => {
              const thick = Math.min(46, (slot * 0.72) / series.length);
              return value === null ? null : (
                <rect
                  key={labels[index]}
                  data-series={at}
                  className={css.bar}
                  x={x(index) + thick * (at - series.length / 2)}
                  width={thick}
                  y={y(Math.max(0, value))}
                  height={Math.abs(y(0) - y(value))}
                  rx="3"
                >
                  <title>{`${labels[index] ?? ''}: ${show(value)}`}</title>
                </rect>
              );
            })
          ) : (
            <g key={one.name} data-series={at} className={css.line}>
              <path d={pathOf(one.values, x, y)} />
              {labels.length <= 40 &&
                one.values.map((value, index) =>
                  value === null ? null : (
                    <circle key={labels[index]} cx={x(index)} cy={y(value)} r="3">
                      <title>{`${labels[index] ?? ''}: ${show(value)}`}</title>
                    </circle>
                  ),
                )}
            </g>
          ),
        )}
      </svg>
      <details>
        <summary>{t.asTable}</summary>
        <table className={form.lines}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t.when}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={label + String(at)}>
                <th scope="row">{label}</th>
                {series.map(({ name, values }) => {
                  const value = values[at];
                  return <td key={name}>{value === null || value === undefined ? '–' : show(value)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** How wide it is, so that a plot is drawn as wide as there is room, and its text as large as any. */
function useWidthOf(element: Element | null): number {
  const [width, setWidth] = useState(720);
  useEffect(() => {
    if (!element) return undefined;
    const observer = new ResizeObserver(
      ([entry]) => entry && setWidth(Math.max(narrowest, Math.round(entry.contentRect.width))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

function pathOf(values: readonly (number | null)[], x: (at: number) => number, y: (value: number) => number): string {
  let isDrawing = false;
  return values
    .map((value, at) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const step = `${isDrawing ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
      isDrawing = true;
      return step;
    })
    .join('');
}

/** The next of 1, 2, 5, 10, 20 … */
function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (([1, 2, 5, 10] as const).find((step) => step * power >= value) ?? 10);
}
