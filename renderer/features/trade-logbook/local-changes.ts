import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { create } from 'zustand'
import type { ListedTrip, Trade } from '#shared/api/records.ts'

/** An edit that the journal has not confirmed. */
export type Edit = {
  /** What the screen shows meanwhile: the fields, and what follows from them. */
  readonly shown: Partial<Trade>
  readonly failed: boolean
  /** The trip that shows it too. */
  readonly tripId: string
}

/** The user's changes that the journal has not confirmed: they show at once, and stay if saving fails. */
export type LocalChanges = {
  readonly edits: ReadonlyMap<string, Edit>
  /** Trades added by hand, the newest first. */
  readonly added: readonly { readonly trade: Trade; readonly failed: boolean }[]
  readonly removed: ReadonlySet<string>
}

const none: LocalChanges = { edits: new Map(), added: [], removed: new Set() }

/** The local changes of this page. */
export const useLocalChanges = create<LocalChanges>(() => none)

forgetForOthers(() => { useLocalChanges.setState(none) })

/** Shows these edits of trades, and no others of them. */
export const showEdits = (ids: readonly string[], shown: ReadonlyMap<string, Edit>): void => {
  const { edits } = useLocalChanges.getState()
  if (shown.size === 0 && !ids.some((id) => edits.has(id))) return
  useLocalChanges.setState({ edits: new Map([...[...edits].filter(([id]) => !ids.includes(id)), ...shown]) })
}

/** Shows a trade that was entered by hand. */
export const noteAdded = (trade: Trade): void => {
  useLocalChanges.setState(({ added }) => ({ added: [{ trade, failed: false }, ...added.filter((one) => one.trade.id !== trade.id)] }))
}

/** Forgets an added trade: the journal has it now, or it was taken back. */
export const addedSettled = (id: string): void => {
  useLocalChanges.setState(({ added }) => ({ added: added.filter((one) => one.trade.id !== id) }))
}

/** Marks an added trade as unsaved. */
export const addingFailed = (id: string): void => {
  useLocalChanges.setState(({ added }) => ({ added: added.map((one) => (one.trade.id === id ? { ...one, failed: true } : one)) }))
}

/** Hides a trade. */
export const noteRemoved = (id: string): void => {
  useLocalChanges.setState(({ removed }) => ({ removed: new Set(removed).add(id) }))
}

/** Shows a hidden trade again. */
export const removalUndone = (id: string): void => {
  useLocalChanges.setState(({ removed }) => ({ removed: new Set([...removed].filter((one) => one !== id)) }))
}

/** A trade with the edits that are still unsaved; the same object where there are none. */
export const edited = (trade: Trade, edits: LocalChanges['edits']): Trade => {
  const edit = edits.get(trade.id)
  return edit === undefined ? trade : { ...trade, ...edit.shown }
}

/** A trip with the edits of its pairs that are still unsaved, and whether saving one of them failed; the same object where there are none. */
export const editedTrip = (trip: ListedTrip, edits: LocalChanges['edits']): { readonly trip: ListedTrip; readonly failed: boolean } => {
  const tripEdits = edits.size === 0 ? [] : [...edits.values()].filter(({ tripId }) => tripId === trip.id)
  if (tripEdits.length === 0) return { trip, failed: false }
  const tagged = tripEdits.flatMap(({ shown }) => shown.tags ?? [])
  // The tags of pairs without an edit are known by the trip only.
  const isWhole = tripEdits.filter(({ shown }) => shown.tags !== undefined).length === trip.pairs
  const noted = tripEdits.flatMap(({ shown }) => shown.notes ?? [])
  const figures = trip.origin === 'manual' ? (tripEdits[0]?.shown ?? {}) : {}
  return {
    trip: {
      ...trip,
      ...figures,
      tags: [...new Set(isWhole ? tagged : [...trip.tags, ...tagged])],
      notes: noted.length === 0 ? trip.notes : noted.filter((notes) => notes !== '').join('\n'),
    },
    failed: tripEdits.some(({ failed }) => failed),
  }
}
