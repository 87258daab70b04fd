import type { Told } from '../api/problems.ts';
import { t } from '../language/index.ts';
import { Note } from './basics.tsx';

/** What was wrong with a form that was sent. */
export function ProblemNote({ problem }: { problem: Told }) {
  return (
    <Note tone="bad">
      <p>{problem.sentence}</p>
      {Object.entries(problem.fields).map(([pointer, message]) => (
        <p key={pointer}>
          <code>{pointer}</code> {message}
        </p>
      ))}
      {problem.requestId && (
        <p className="mono">
          {t.requestId} {problem.requestId}
        </p>
      )}
    </Note>
  );
}
