import type { Finding, Tally } from './ledger.ts';
import type { Leftovers } from './drained.ts';
import { sumOf } from './drained.ts';
import type { MailCount } from './mails.ts';

/** What a scenario measured, beside what the ledger finds. */
export interface Fact {
  readonly what: string;
  readonly found: number;
  /** The least and the most that are good; absent where the figure is only told. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** A matter of seconds, which means something only on a machine that does nothing else. */
  readonly isTime?: true;
}

export interface Report extends Tally {
  readonly seed: number;
  readonly operations: number;
  readonly faults: number;
  /** What was killed, and how often. */
  readonly kills: Readonly<Record<string, number>>;
  /** What was still on its way at the deadline. */
  readonly stuck: number;
  readonly left: Leftovers;
  readonly drainedInMs: number;
  readonly mails: MailCount;
  /** What a scenario measured. */
  readonly facts: readonly Fact[];
  readonly calls: { readonly tries: number; readonly unanswered: number; readonly serverErrors: number };
  readonly seconds: number;
  readonly isGood: boolean;
}

const shown = 8;

type Judged = Pick<Report, 'lost' | 'duplicated' | 'stuck' | 'mails' | 'facts'>;

// How many mails may be out and not written down, where SMTP_UNRECORDED is left alone.
const inDoubt = 1;

/**
 * A mail may come again when its sender, engagement, is killed: the mail server had taken it, and nobody had written that
 * down yet. No more of them than may be in doubt; the death of anything else repeats no mail.
 */
function repeatsWithinBounds({ unexplained, afterKill }: MailCount): boolean {
  return unexplained === 0 && afterKill.every((repeated) => repeated <= inDoubt);
}

export function isGood({ lost, duplicated, stuck, mails, facts }: Judged): boolean {
  const isNothingAmiss = lost === 0 && duplicated === 0 && stuck === 0 && mails.missing === 0;
  return isNothingAmiss && repeatsWithinBounds(mails) && facts.every(isKept);
}

function isKept({ found, atLeast = found, atMost = found }: Fact): boolean {
  return atLeast <= found && found <= atMost;
}

/** The same report without judging times, for a machine that does much else. */
export function withoutTimes(report: Report): Report {
  const facts = report.facts.map((fact) => (fact.isTime ? { what: fact.what, found: fact.found } : fact));
  return { ...report, facts, isGood: isGood({ ...report, facts }) };
}

/** The report for people. */
export function tell(report: Report, command: string): string {
  const { left, mails, findings } = report;
  const kills = Object.entries(report.kills).map(([target, times]) => `${target} ${times}`);
  const afterKill = mails.afterKill.length === 0 ? 'engagement was not killed' : mails.afterKill.join(', ');
  const lines = [
    `${report.operations} operations, ${report.faults} faults in ${report.seconds} s; ` +
      `${report.calls.tries} tries, ${report.calls.unanswered} unanswered, ${report.calls.serverErrors} answered with 5xx`,
    `killed: ${kills.join(', ') || 'nothing'}`,
    `acknowledged ${report.acknowledged}, ok ${report.ok}, lost ${report.lost}, duplicated ${report.duplicated}, stuck ${report.stuck}`,
    `mails: ${mails.arrived} arrived, ${mails.distinct} by Message-ID; ${mails.missing} missing; ${mails.repeated} came again`,
    `came again after each kill of engagement: ${afterKill} (at most ${inDoubt}); without one: ${mails.unexplained}`,
    ...mails.again.slice(0, shown).map((which) => `  came again: ${which}`),
    `everything through ${(report.drainedInMs / 1000).toFixed(1)} s after the last fault` +
      (sumOf(left) > 0 ? `, but for ${JSON.stringify(left)}` : ''),
    ...report.facts.map(
      (fact) =>
        `${isKept(fact) ? '' : 'BROKEN: '}${fact.what}: ${fact.found}` +
        (fact.atLeast === undefined ? '' : ` (at least ${fact.atLeast})`) +
        (fact.atMost === undefined ? '' : ` (at most ${fact.atMost})`),
    ),
    ...findings.slice(0, shown).map(describe),
    ...(findings.length > shown ? [`… and ${findings.length - shown} more`] : []),
    `${report.isGood ? 'All promises kept' : 'PROMISES BROKEN'}. Again: ${command}`,
  ];
  return lines.join('\n');
}

function describe({ kind, what, operations, expected, found }: Finding): string {
  return `  ${kind}: ${what}: expected ${expected}, found ${found} (${operations.slice(0, 4).join(', ')})`;
}
