import { create } from 'zustand'
import type { RulesForm } from './rules-draft.ts'

/** The rules of an account being edited, the preset that they were made from, and the day from which they count, empty for the first. */
export type Draft = { readonly form: RulesForm; readonly presetId: string | null; readonly since: string }

/** Unsaved edits, by user and account; they survive opening another account or page. A store that never fetches. */
export const useDrafts = create<{ readonly drafts: ReadonlyMap<string, Draft> }>(() => ({ drafts: new Map() }))

/** The key of a user's edits for an account. */
export const draftKey = (userId: string, account: string): string => `${userId} ${account}`

/** Keeps an edit. */
export const keepDraft = (key: string, draft: Draft): void => {
  useDrafts.setState(({ drafts }) => ({ drafts: new Map(drafts).set(key, draft) }))
}

/** Drops an edit; if `sent` is given, only if nothing was typed since. */
export const dropDraft = (key: string, sent?: Draft | null): void => {
  useDrafts.setState(({ drafts }) => (sent !== undefined && drafts.get(key) !== sent ? { drafts } : { drafts: new Map([...drafts].filter(([one]) => one !== key)) }))
}
