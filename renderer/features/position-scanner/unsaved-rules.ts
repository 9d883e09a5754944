import { create } from 'zustand'
import type { TypedRules } from './rules-form-schema.ts'

/** Unsaved rules, by user and account; they survive opening another account or page. A store that never fetches. */
export const useDrafts = create<{ readonly drafts: ReadonlyMap<string, TypedRules> }>(() => ({ drafts: new Map() }))

/** The key of a user's edits for an account. */
export const draftKey = (userId: string, account: string): string => `${userId} ${account}`

/** Keeps an edit. */
export const keepDraft = (key: string, draft: TypedRules): void => {
  useDrafts.setState(({ drafts }) => ({ drafts: new Map(drafts).set(key, draft) }))
}

/** Drops an edit; if `sent` is given, only if nothing was typed since. */
export const dropDraft = (key: string, sent?: TypedRules | null): void => {
  useDrafts.setState(({ drafts }) => (sent !== undefined && drafts.get(key) !== sent ? { drafts } : { drafts: new Map([...drafts].filter(([one]) => one !== key)) }))
}
