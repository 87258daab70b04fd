import { notFound, searchWords, type identityOperations } from '@storefront/contracts';
import { etagOf, type Cursors, type Handlers } from '@storefront/http';
import type { FactorsArea } from '../../factors/factors.ts';
import { showUser } from '../../routes/show-user.ts';
import { showSession, type SessionsArea } from '../../sessions/sessions.ts';
import type { Users } from '../../store/users.ts';
import type { Purchases } from '../store/purchases.ts';
import { showFactors } from './show-factors.ts';

interface Needs {
  readonly users: Pick<Users, 'directory' | 'load'>;
  readonly sessions: Pick<SessionsArea, 'livingOf'>;
  readonly factors: Pick<FactorsArea, 'summaryOf'>;
  readonly purchases: Pick<Purchases, 'countOf'>;
  readonly cursors: Cursors;
}

/** Staff find and read all accounts. */
export function userDirectoryHandlers({
  users,
  sessions,
  factors,
  purchases,
  cursors,
}: Needs): Pick<Handlers<typeof identityOperations>, 'listUsers' | 'getUser'> {
  return {
    listUsers({ caller, query }) {
      const { q, role, status } = query;
      return cursors.page(
        { list: 'users', owner: caller.sub, query },
        (slice) => users.directory({ words: q ? searchWords(q) : null, role, status }, slice),
        ({ state }) => showUser(state),
      );
    },

    async getUser({ params }, reply) {
      const found = await users.load(params.id);
      if (!found) throw notFound('user');
      const { state: user, version } = found;
      const [living, summary, counts] = await Promise.all([
        sessions.livingOf(user),
        factors.summaryOf(user.id),
        purchases.countOf(user.id),
      ]);
      // The tag is weak, because it is only the version of the account. Sessions and factors change without a new version.
      void reply.header('etag', `W/${etagOf(version)}`);
      return {
        ...showUser(user),
        sessions: living.map(showSession),
        secondFactors: showFactors(summary),
        ...counts,
      };
    },
  };
}
