import type { SessionAnswer, sessionRoutes } from '#shared/api/session.ts'
import { ok } from '#shared/base/result.ts'
import type { Connections } from '../../services/connections.ts'
import type { Events } from '../../services/events.ts'
import type { IdentityPort } from '../../services/identity.ts'
import type { ImportDesk } from '../../services/import-desk.ts'
import type { JournalFiles } from '../../services/journal-files.ts'
import { refuse } from '../../services/refused.ts'
import type { Mirrors } from '../../services/mirrors.ts'
import type { Sessions } from '../../services/sessions.ts'
import type { Browser, Caller } from '../caller.ts'
import type { Handlers } from '../mount.ts'

/** What the page has to know of this installation. */
export type Installation = Pick<SessionAnswer, 'identity' | 'secrets' | 'demoOffered' | 'timeZone' | 'version'>

/** Who is signed in, and the ways in and out. */
export const sessionHandlers = (parts: {
  readonly identity: IdentityPort
  readonly sessions: Sessions
  readonly events: Events
  readonly connections: Pick<Connections, 'isReady'>
  readonly mirrors: Pick<Mirrors, 'cloudFor'>
  readonly imports: Pick<ImportDesk, 'leave'>
  readonly journalFiles: Pick<JournalFiles, 'leave'>
  readonly installation: Installation
}): Handlers<typeof sessionRoutes, Browser, Caller> => {
  const { identity, sessions, events, connections, mirrors, imports, journalFiles, installation } = parts
  return {
    session: async ({ caller }) => {
      const { userId } = caller.session
      const [user, hasProfiles, brokerageReady] = await Promise.all([userId === null ? null : identity.userOf(userId), identity.hasProfiles(), connections.isReady(userId)])
      return ok({
        ...installation,
        brokerageReady,
        currentUser: user?.currentUser ?? null,
        demo: user?.demo ?? false,
        cloud: mirrors.cloudFor({ demo: user?.demo ?? false }),
        timeZone: user?.timeZone ?? installation.timeZone,
        hasProfiles,
      })
    },
    signUp: async ({ body, caller }) => {
      const made = await identity.signUp(body)
      if (made.ok) await caller.become(made.value.currentUser.uid)
      return made
    },
    signIn: async ({ body, caller }) => {
      const entered = await identity.signIn(body)
      if (entered.ok) await caller.become(entered.value.currentUser.uid)
      return entered
    },
    signInDemo: async ({ caller }) => {
      if (!installation.demoOffered) return refuse('not-found')
      const entered = await identity.signInDemo()
      await caller.become(entered.currentUser.uid)
      return ok(entered)
    },
    signOut: async ({ caller }) => {
      await caller.browser.become(null)
      await imports.leave(caller.id)
      await journalFiles.leave(caller.id)
      return ok({ success: true })
    },
    resetPassword: async ({ body, caller }) => {
      const reset = await identity.resetPassword(body)
      if (!reset.ok) return reset
      // Whoever knew the old password is put out of every browser.
      if (caller.session.userId === reset.value.uid) await caller.become(null)
      await sessions.endAllOf(reset.value.uid)
      events.signedOutEverywhere(reset.value.uid)
      return ok({ recoveryCode: reset.value.recoveryCode })
    },
  }
}
