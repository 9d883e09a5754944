import { create } from 'zustand'
import type { RulesForm } from './rules-draft.ts'

/** The rules of an account as they are being typed, the preset that they were made from, and the day from which they count, which is empty for the first. */
export type Draft = { readonly form: RulesForm; readonly presetId: string | null; readonly since: string }

/** What was typed and not saved yet, by user and account; it outlives a look at another account or page. A store that never fetches. */
export const useDrafts = create<{ readonly drafts: ReadonlyMap<string, Draft> }>(() => ({ drafts: new Map() }))

/** The place of what a user types for an account. */
export const draftKey = (userId: string, account: string): string => `${userId} ${account}`

/** Keeps what is typed. */
export const keepDraft = (key: string, draft: Draft): void => {
  useDrafts.setState(({ drafts }) => ({ drafts: new Map(drafts).set(key, draft) }))
}

/** Lets go of what was typed; where `sent` is given, only if nothing was typed since. */
export const dropDraft = (key: string, sent?: Draft | null): void => {
  useDrafts.setState(({ drafts }) => (sent !== undefined && drafts.get(key) !== sent ? { drafts } : { drafts: new Map([...drafts].filter(([one]) => one !== key)) }))
}
