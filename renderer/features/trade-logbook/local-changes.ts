import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { create } from 'zustand'
import type { FillPairRecord, ListedTrade } from '#shared/api/records.ts'

/** An edit that the journal has not confirmed. */
export type Edit = {
  /** What the screen shows meanwhile: the fields, and what follows from them. */
  readonly shown: Partial<FillPairRecord>
  readonly failed: boolean
  /** The trade that shows it too. */
  readonly tradeId: string
}

/** The user's changes that the journal has not confirmed: they show at once, and stay if saving fails. */
export type LocalChanges = {
  readonly edits: ReadonlyMap<string, Edit>
  /** Trades added by hand, the newest first. */
  readonly added: readonly { readonly pair: FillPairRecord; readonly failed: boolean }[]
  readonly removed: ReadonlySet<string>
}

const none: LocalChanges = { edits: new Map(), added: [], removed: new Set() }

/** The local changes of this page. */
export const useLocalChanges = create<LocalChanges>(() => none)

forgetForOthers(() => { useLocalChanges.setState(none) })

/** Shows these edits of fill pairs, and no others of them. */
export const showEdits = (ids: readonly string[], shown: ReadonlyMap<string, Edit>): void => {
  const { edits } = useLocalChanges.getState()
  if (shown.size === 0 && !ids.some((id) => edits.has(id))) return
  useLocalChanges.setState({ edits: new Map([...[...edits].filter(([id]) => !ids.includes(id)), ...shown]) })
}

/** Shows a trade that was entered by hand. */
export const noteAdded = (pair: FillPairRecord): void => {
  useLocalChanges.setState(({ added }) => ({ added: [{ pair, failed: false }, ...added.filter((one) => one.pair.id !== pair.id)] }))
}

/** Forgets an added trade: the journal has it now, or it was taken back. */
export const addedSettled = (id: string): void => {
  useLocalChanges.setState(({ added }) => ({ added: added.filter((one) => one.pair.id !== id) }))
}

/** Marks an added trade as unsaved. */
export const addingFailed = (id: string): void => {
  useLocalChanges.setState(({ added }) => ({ added: added.map((one) => (one.pair.id === id ? { ...one, failed: true } : one)) }))
}

/** Hides a fill pair, or a trade. */
export const noteRemoved = (id: string): void => {
  useLocalChanges.setState(({ removed }) => ({ removed: new Set(removed).add(id) }))
}

/** Shows a hidden fill pair, or a trade, again. */
export const removalUndone = (id: string): void => {
  useLocalChanges.setState(({ removed }) => ({ removed: new Set([...removed].filter((one) => one !== id)) }))
}

/** A fill pair with the edits that are still unsaved; the same object where there are none. */
export const editedPair = (pair: FillPairRecord, edits: LocalChanges['edits']): FillPairRecord => {
  const edit = edits.get(pair.id)
  return edit === undefined ? pair : { ...pair, ...edit.shown }
}

/** A trade with the edits of its pairs that are still unsaved, and whether saving one of them failed; the same object where there are none. */
export const editedTrade = (trade: ListedTrade, edits: LocalChanges['edits']): { readonly trade: ListedTrade; readonly failed: boolean } => {
  const ownEdits = edits.size === 0 ? [] : [...edits.values()].filter(({ tradeId }) => tradeId === trade.id)
  if (ownEdits.length === 0) return { trade, failed: false }
  const tagged = ownEdits.flatMap(({ shown }) => shown.tags ?? [])
  // The tags of pairs without an edit are known by the trade only.
  const isWhole = ownEdits.filter(({ shown }) => shown.tags !== undefined).length === trade.pairs
  const noted = ownEdits.flatMap(({ shown }) => shown.notes ?? [])
  const figures = trade.origin === 'manual' ? (ownEdits[0]?.shown ?? {}) : {}
  return {
    trade: {
      ...trade,
      ...figures,
      tags: [...new Set(isWhole ? tagged : [...trade.tags, ...tagged])],
      notes: noted.length === 0 ? trade.notes : noted.filter((notes) => notes !== '').join('\n'),
    },
    failed: ownEdits.some(({ failed }) => failed),
  }
}
