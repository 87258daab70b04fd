import type { Codes } from '../../secrets/codes.ts';
import type { ControlChangeKind } from '../domain/control-change.ts';
import type { ControlChanges, RecordedAs } from '../store/control-changes.ts';

export interface ControlChangeNeeds {
  readonly controlChanges: ControlChanges;
  readonly codes: Codes;
  readonly now: () => Date;
}

/** How a change that is made now is recorded, with a new link by which it can be undone. */
export async function recordAs(
  { codes, now }: Pick<ControlChangeNeeds, 'codes' | 'now'>,
  kind: ControlChangeKind,
): Promise<RecordedAs> {
  const { linkHash, sealed } = await codes.createLink(false);
  return { kind, linkHash, sealedLink: sealed, now: now() };
}
