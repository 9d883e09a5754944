import { refuse, type Refused } from '#shared/api/refused.ts'
import type { SessionAnswer, sessionRoutes, SignedInUser } from '#shared/api/session.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { AccountDeletion } from './account-deletion.ts'
import type { Connections } from '../accounts/connections.ts'
import type { Events } from '../events.ts'
import type { IdentityPort } from './identity.ts'
import type { ImportService } from '../imports/service.ts'
import type { JournalFiles } from '../journal-file/service.ts'
import type { Mirrors } from '../mirror/service.ts'
import type { Sessions } from './sessions.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { doneIf } from '../http/done.ts'
import type { Handlers } from '../http/mount.ts'

/** The installation's part of the session answer. */
export type Installation = Pick<SessionAnswer, 'identity' | 'federated' | 'secrets' | 'demoOffered' | 'timeZone' | 'version'>

/** Handlers for the session, signing in and out, and account deletion. */
export const sessionHandlers = (deps: {
  readonly identity: IdentityPort
  readonly sessions: Sessions
  readonly events: Events
  readonly connections: Pick<Connections, 'isReady'>
  readonly mirrors: Pick<Mirrors, 'cloudFor'>
  readonly imports: Pick<ImportService, 'leave'>
  readonly journalFiles: Pick<JournalFiles, 'leave'>
  readonly deleteAccount: AccountDeletion
  readonly installation: Installation
}): Handlers<typeof sessionRoutes, Browser, Caller> => {
  const { identity, sessions, events, connections, mirrors, imports, journalFiles, deleteAccount, installation } = deps
  /** Starts the user's session in this browser and signs out the previous user. */
  const admit = async ({ session, become }: Browser, userId: string): Promise<void> => {
    await become(userId)
    await identity.signedIn(userId)
    if (session.userId !== null && session.userId !== userId) await identity.signedOut(session.userId)
  }
  const entered = async (caller: Browser, outcome: Result<{ readonly currentUser: SignedInUser }, Refused>): Promise<typeof outcome> => {
    if (outcome.ok) await admit(caller, outcome.value.currentUser.uid)
    return outcome
  }

  return {
    session: async ({ caller }) => {
      const { userId } = caller.session
      const [user, hasProfiles, brokerageReady, recoveryCodeUnsaved] = await Promise.all([
        userId === null ? null : identity.userOf(userId),
        identity.hasProfiles(),
        connections.isReady(userId),
        // A keychain that does not answer keeps nobody out.
        userId === null ? false : identity.isRecoveryCodeUnsaved(userId).catch(() => false),
      ])
      return ok({
        ...installation,
        brokerageReady,
        currentUser: user?.currentUser ?? null,
        demo: user?.demo ?? false,
        cloud: mirrors.cloudFor({ demo: user?.demo ?? false }),
        timeZone: user?.timeZone ?? installation.timeZone,
        hasProfiles,
        recoveryCodeUnsaved: user !== null && recoveryCodeUnsaved,
        endedBecause: user === null ? caller.session.endedBecause : null,
      })
    },
    passwordPolicy: async () => ok(await identity.passwordPolicy()),
    signUp: async ({ body, caller }) => {
      const made = await identity.signUp({ ...body, browser: nameOf(caller) })
      if (made.ok) await admit(caller, made.value.currentUser.uid)
      return made
    },
    signIn: async ({ body, caller }) => {
      const signIn = (): ReturnType<typeof identity.signIn> => identity.signIn({ ...body, browser: nameOf(caller) })
      const known = await signIn()
      // A user under deletion stays in the journal until the end, so wait for it and check again.
      return entered(caller, known.ok && (await deleteAccount.settled(known.value.currentUser.uid)) ? await signIn() : known)
    },
    signInDemo: async ({ caller }) => (installation.demoOffered ? entered(caller, ok(await identity.signInDemo())) : refuse('not-found')),
    signOut: async ({ caller }) => {
      await caller.browser.become(null)
      await imports.leave(caller.id)
      await journalFiles.leave(caller.id)
      await identity.signedOut(caller.id)
      return ok({ success: true })
    },
    resetPassword: async ({ body, caller }) => {
      const reset = await identity.resetPassword({ ...body, browser: nameOf(caller) })
      if (!reset.ok) return reset
      // Sign out every browser that used the old password.
      if (caller.session.userId === reset.value.uid) await caller.become(null)
      await sessions.endAllOf(reset.value.uid)
      events.signedOutEverywhere(reset.value.uid)
      return ok({ recoveryCode: reset.value.recoveryCode })
    },
    confirmRecoveryCode: async ({ body, caller }) => doneIf(await identity.confirmRecoveryCode({ ...body, browser: nameOf(caller) })),
    renewRecoveryCode: ({ body, caller }) => identity.renewRecoveryCode(caller.id, body.password),
    mailPasswordReset: async ({ body }) => doneIf(await identity.mailPasswordReset(body)),
    mailSignInLink: async ({ body, caller }) => doneIf(await identity.mailSignInLink({ ...body, browser: caller.session.id })),
    signInByLink: async ({ body, caller }) => entered(caller, await identity.signInByLink({ ...body, browser: caller.session.id })),
    beginFederated: ({ caller }) => identity.beginFederated({ browser: caller.session.id }),
    endFederated: async ({ body, caller }) => {
      const back = await identity.endFederated({ ...body, browser: caller.session.id })
      if (!back.ok) return back
      if (back.value === null) return ok({ state: 'waiting' })
      await admit(caller, back.value.currentUser.uid)
      return ok({ state: 'entered', ...back.value })
    },
    downloadTicket: async ({ body, caller }) => ok({ ticket: caller.browser.ticketFor(body.path) }),
    mailVerification: async ({ caller }) => doneIf(await identity.mailVerification(caller.id)),
    reloadUser: ({ caller }) => identity.reloadUser(caller.id),
    deleteAccount: async ({ body, caller }) => {
      const signOutBrowser = async (): Promise<void> => {
        await caller.browser.become(null)
        await imports.leave(caller.id)
        await journalFiles.leave(caller.id)
      }
      return doneIf(await deleteAccount.remove(caller.id, { password: body.password, signOutBrowser }))
    },
  }
}

// The key outlives the session: a browser that lost its cookie gets a new session with the same key.
const nameOf = ({ session: { keyHash, id } }: Browser): string => keyHash ?? id
