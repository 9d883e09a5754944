import { ownDataRoutes, type DayNote } from '#shared/api/own-data.ts'
import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { apiQuery } from './api.ts'
import { forgetForOthers } from './of-user.ts'
import { unsentPlace } from './unsent-place.ts'
import { unsentDaysPrefix } from './unsent-prefix.ts'

const { dayNotes } = ownDataRoutes

/** The editable fields of a day. */
export type DayNoteChange = Partial<Pick<DayNote, 'notes' | 'tags'>>

/** The unsaved changes of a day's note, what the user saw in these fields, whether saving failed, and the notes that someone else wrote meanwhile. */
export type Unsaved = { readonly change: DayNoteChange; readonly base: DayNoteChange; readonly failure: unknown; readonly theirs: string | null }

/** Unsaved changes of days' notes, by trading day. */
export const useUnsaved = create<{ readonly days: ReadonlyMap<string, Unsaved> }>(() => ({ days: new Map() }))

/** The changes of a day's note that a page left unsaved. */
type UnsavedDay = Pick<Unsaved, 'change' | 'base' | 'theirs'> & { readonly userId: string; readonly tradingDay: string }

const place = unsentPlace<UnsavedDay>(unsentDaysPrefix)
// A user who signs in again on this page gets back unsaved changes.
const ofAll = new Map<string, ReadonlyMap<string, Unsaved>>()
let writer = ''

const keepAll = (): void => {
  place.keep([...ofAll].flatMap(([userId, unsavedDays]) => [...unsavedDays].map(([day, { change, base, theirs }]) => ({ userId, tradingDay: day, change, base, theirs }))))
}

forgetForOthers(({ userId, replaced }) => {
  writer = userId
  if (replaced && ofAll.delete(userId)) keepAll()
  useUnsaved.setState({ days: ofAll.get(userId) ?? new Map() })
})

/** Keeps a day's unsaved changes, also for the next page; null if everything is saved. */
export const keepUnsaved = (tradingDay: string, unsaved: Unsaved | null): void => {
  const { days } = useUnsaved.getState()
  const now = unsaved === null ? new Map([...days].filter(([day]) => day !== tradingDay)) : new Map(days).set(tradingDay, unsaved)
  useUnsaved.setState({ days: now })
  ofAll.set(writer, now)
  keepAll()
}

/** Passes on what closed pages left unsaved of this user's days; a day that is unsaved on this page too stays for later. */
export const takeKeptDays = (userId: string, taken: (tradingDay: string, unsaved: Unsaved) => void): void => {
  place.keptElsewhere(({ tradingDay, change, base, theirs, ...kept }) => {
    if (kept.userId !== userId || userId !== writer || useUnsaved.getState().days.has(tradingDay)) return false
    const unsaved: Unsaved = { change, base, theirs, failure: null }
    keepUnsaved(tradingDay, unsaved)
    taken(tradingDay, unsaved)
    return true
  })
}

/** A day's note as the screen shows it: the journal's, with unsaved changes on top. */
export type ShownDayNote = DayNote & {
  /** Why the last save failed; null without a failure. */
  readonly failure: unknown
  /** The journal's notes from elsewhere, if the user must choose between versions; null otherwise. */
  readonly theirs: string | null
}

/** A day without annotations. */
export const emptyOf = (tradingDay: string): DayNote => ({ tradingDay, notes: '', tags: [] })

const isNoted = ({ notes, tags }: Pick<DayNote, 'notes' | 'tags'>): boolean => notes.trim() !== '' || tags.length > 0

/** The days with notes, by trading day; `null` until loaded. */
export const useDayNotes = (): ReadonlyMap<string, ShownDayNote> | null => {
  const { data } = useQuery(apiQuery(dayNotes, { query: {} }))
  const { days } = useUnsaved()
  if (data === undefined) return null
  // Many days share one query and its result.
  if (last === null || last.kept !== data.days || last.unsaved !== days) last = { kept: data.days, unsaved: days, shown: withUnsaved(data.days, days) }
  return last.shown
}

type UnsavedDays = ReadonlyMap<string, Unsaved>
let last: { readonly kept: readonly DayNote[]; readonly unsaved: UnsavedDays; readonly shown: ReadonlyMap<string, ShownDayNote> } | null = null

/** The journal's days with unsaved changes on top, without empty ones. */
export const withUnsaved = (kept: readonly DayNote[], unsaved: UnsavedDays): ReadonlyMap<string, ShownDayNote> => {
  const shown = new Map(kept.map((day): [string, ShownDayNote] => [day.tradingDay, { ...day, failure: null, theirs: null }]))
  for (const [tradingDay, { change, failure, theirs }] of unsaved) shown.set(tradingDay, { ...(shown.get(tradingDay) ?? emptyOf(tradingDay)), ...change, failure, theirs })
  return new Map([...shown].filter(([, day]) => isNoted(day) || day.failure !== null || day.theirs !== null))
}
