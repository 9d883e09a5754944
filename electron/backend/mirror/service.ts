import type { MirrorState } from '#shared/api/mirror.ts'

/** The copy of each profile's journal in a cloud, as the screens ask for it. */
export type Mirrors = {
  /** Whether a cloud is set for real profiles, or for the demo profile. */
  readonly cloudFor: (profile: { readonly demo: boolean }) => 'this-computer-only' | 'mirrored'
  readonly state: (userId: string) => Promise<MirrorState>
  /** Tries again at once. */
  readonly now: (userId: string) => Promise<void>
  /** Where the account that the journal was mirrored to is gone: sends all of it to the one that the user has now. */
  readonly toNewAccount: (userId: string) => Promise<void>
}

/** How things stand where no cloud is set. */
export const thisComputerOnly: MirrorState = { state: 'this-computer-only', waiting: 0, waitingSince: null, setAside: 0, lastSentAt: null, storage: null, nextTryAt: null, restoring: null, comparing: null, pictures: null }
