import type { Finding, Tally } from './ledger.ts';
import { type Leftovers, sumOf } from './drained.ts';
import type { MailCount } from './mails.ts';

/** A measured value, with limits if it can be wrong. */
export interface MeasuredFact {
  readonly what: string;
  readonly found: number;
  /** The limits. Without them the value is only for information. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface FaultReport extends Tally {
  readonly seed: number;
  readonly operations: number;
  readonly faults: number;
  /** The number of kills by target. */
  readonly kills: Readonly<Record<string, number>>;
  /** The amount of unfinished work at the time limit. */
  readonly stuck: number;
  readonly left: Leftovers;
  readonly drainedInMs: number;
  readonly mails: MailCount;
  /** The values that a scenario measured. */
  readonly facts: readonly MeasuredFact[];
  readonly calls: { readonly tries: number; readonly unanswered: number; readonly serverErrors: number };
  /** The faults that could not be part of the run. */
  readonly notTested: readonly string[];
  readonly seconds: number;
  readonly isGood: boolean;
}

const shown = 8;

type JudgedPart = Pick<FaultReport, 'lost' | 'duplicated' | 'stuck' | 'mails' | 'facts'>;

// The default of SMTP_UNRECORDED: how many mails may be sent and not recorded at a time.
const unrecordedMails = 1;

/**
 * When the sender, engagement, is killed after the mail server has accepted a mail and before that is recorded, the
 * mail is sent again. So each kill may repeat as many mails as may be unrecorded, and no other fault repeats any.
 */
function repeatsWithinBounds({ unexplained, afterKill }: MailCount): boolean {
  return unexplained === 0 && afterKill.every((repeated) => repeated <= unrecordedMails);
}

export function isGood({ lost, duplicated, stuck, mails, facts }: JudgedPart): boolean {
  const isComplete = lost === 0 && duplicated === 0 && stuck === 0 && mails.missing === 0;
  return isComplete && repeatsWithinBounds(mails) && facts.every(isWithinLimits);
}

function isWithinLimits({ found, atLeast = found, atMost = found }: MeasuredFact): boolean {
  return atLeast <= found && found <= atMost;
}

/** The report as text for people. */
export function formatReport(report: FaultReport, command: string): string {
  const { left, mails, findings, calls } = report;
  const kills = Object.entries(report.kills).map(([target, times]) => `${target} ${times}`);
  const afterKill = mails.afterKill.length === 0 ? 'engagement was not killed' : mails.afterKill.join(', ');
  const lines = [
    `${report.operations} operations, ${report.faults} faults in ${report.seconds} s; ` +
      `${calls.tries} tries, ${calls.unanswered} unanswered, ${calls.serverErrors} answered with 5xx`,
    `killed: ${kills.join(', ') || 'nothing'}`,
    `acknowledged ${report.acknowledged}, ok ${report.ok}, ` +
      `lost ${report.lost}, duplicated ${report.duplicated}, stuck ${report.stuck}`,
    `mails: ${mails.arrived} arrived, ${mails.distinct} by Message-ID; ` +
      `${mails.missing} missing; ${mails.repeated} repeated`,
    `repeated after each kill of engagement: ${afterKill} (at most ${unrecordedMails}); ` +
      `without a kill: ${mails.unexplained}`,
    ...mails.again.slice(0, shown).map((mail) => `  repeated: ${mail}`),
    `all work finished ${(report.drainedInMs / 1000).toFixed(1)} s after the last fault` +
      (sumOf(left) > 0 ? `, except ${JSON.stringify(left)}` : ''),
    ...report.facts.map(
      (fact) =>
        `${isWithinLimits(fact) ? '' : 'BROKEN: '}${fact.what}: ${fact.found}` +
        (fact.atLeast === undefined ? '' : ` (at least ${fact.atLeast})`) +
        (fact.atMost === undefined ? '' : ` (at most ${fact.atMost})`),
    ),
    ...(report.notTested.length > 0 ? [`not tested here: ${report.notTested.join(', ')}`] : []),
    ...findings.slice(0, shown).map(describe),
    ...(findings.length > shown ? [`… and ${findings.length - shown} more`] : []),
    `${report.isGood ? 'All promises kept' : 'PROMISES BROKEN'}. Again: ${command}`,
  ];
  return lines.join('\n');
}

function describe({ kind, what, operations, expected, found }: Finding): string {
  return `  ${kind}: ${what}: expected ${expected}, found ${found} (${operations.slice(0, 4).join(', ')})`;
}
