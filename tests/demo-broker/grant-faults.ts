import type { Grants, GrantsState } from '#demo-broker/grants.ts'

type PushedOut = NonNullable<GrantsState['sessions'][number]['pushedOut']>

/** What happens to a user's sessions and tokens elsewhere. */
export const strikeGrants = ({ held, keep }: Grants['inside']) => {
  const ofUser = (userId: number) => held.sessions.filter((each) => each.userId === userId)
  const drop = (tokens: typeof held.access, userId: number): void => {
    const ids = new Set(ofUser(userId).map(({ id }) => id))
    for (const [token, { sessionId }] of tokens) if (ids.has(sessionId)) tokens.delete(token)
  }
  return {
    /** Counts a user's open sessions. */
    open: (userId: number): number => ofUser(userId).filter(({ pushedOut }) => pushedOut === null).length,
    /** Revokes one access token. */
    killToken: (token: string): void => {
      held.access.delete(token)
      keep()
    },
    /** Revokes a user's access tokens. */
    killAccess: (userId: number): void => {
      drop(held.access, userId)
      keep()
    },
    /** Revokes all tokens of a user. */
    revoke: (userId: number): void => {
      drop(held.access, userId)
      drop(held.refresh, userId)
      held.sessions = held.sessions.filter((each) => each.userId !== userId)
      keep()
    },
    /** Closes the session of a token, as a login elsewhere does. */
    pushOutToken: (token: string, status: PushedOut): void => {
      const session = held.sessions.find(({ id }) => id === held.access.get(token)?.sessionId)
      if (session !== undefined) session.pushedOut = status
      keep()
    },
    /** Closes all sessions of a user, as logins elsewhere do. */
    pushOut: (userId: number, status: PushedOut): void => {
      for (const session of ofUser(userId)) session.pushedOut ??= status
      keep()
    },
  }
}
