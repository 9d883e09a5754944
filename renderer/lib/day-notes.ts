import { ownDataRoutes, type DayNote } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { apiQuery, callApi, invalidateRoutes } from './api.ts'
import { forgetForOthers } from './of-user.ts'

const { dayNotes, setDayNote } = ownDataRoutes
// One after another: a later change of a day never overtakes an earlier one.
const scope = { id: 'day-notes' }

/** What of a day's note is not saved yet, and whether saving it failed. */
type Unsaved = { readonly change: Partial<DayNote>; readonly failure: unknown }

const useUnsaved = create<{ readonly days: ReadonlyMap<string, Unsaved> }>(() => ({ days: new Map() }))

forgetForOthers(() => { useUnsaved.setState({ days: new Map() }) })

const note = (tradingDay: string, unsaved: Unsaved | null): void => {
  useUnsaved.setState(({ days }) => ({ days: unsaved === null ? new Map([...days].filter(([day]) => day !== tradingDay)) : new Map(days).set(tradingDay, unsaved) }))
}

/** A day's note as the screen shows it: what the journal has, under what is still to be saved. */
export type ShownDayNote = DayNote & {
  /** Why the last try to save it failed; null where nothing did. */
  readonly failure: unknown
}

const emptyOf = (tradingDay: string): DayNote => ({ tradingDay, notes: '', tags: [] })

const isNoted = ({ notes, tags }: Pick<DayNote, 'notes' | 'tags'>): boolean => notes.trim() !== '' || tags.length > 0

/** The noted days, by their trading day; `null` until they are read. */
export const useDayNotes = (): ReadonlyMap<string, ShownDayNote> | null => {
  const { data } = useQuery(apiQuery(dayNotes, { query: {} }))
  const { days } = useUnsaved()
  if (data === undefined) return null
  // Many days ask at once, and all are told the same.
  if (last === null || last.kept !== data.days || last.unsaved !== days) last = { kept: data.days, unsaved: days, shown: laidOver(data.days, days) }
  return last.shown
}

type UnsavedDays = ReadonlyMap<string, Unsaved>
let last: { readonly kept: readonly DayNote[]; readonly unsaved: UnsavedDays; readonly shown: ReadonlyMap<string, ShownDayNote> } | null = null

/** The days that the journal has, with what is still to be saved laid over them; those without a word are left out. */
export const laidOver = (kept: readonly DayNote[], unsaved: UnsavedDays): ReadonlyMap<string, ShownDayNote> => {
  const shown = new Map(kept.map((day): [string, ShownDayNote] => [day.tradingDay, { ...day, failure: null }]))
  for (const [tradingDay, { change, failure }] of unsaved) shown.set(tradingDay, { ...(shown.get(tradingDay) ?? emptyOf(tradingDay)), ...change, failure })
  return new Map([...shown].filter(([, day]) => isNoted(day) || day.failure !== null))
}

/** One day's note to be edited: `note` is null until it is read. */
export const useDayNote = (
  tradingDay: string,
): {
  readonly note: ShownDayNote | null
  readonly loadFailure: unknown
  readonly reload: () => void
  readonly saving: boolean
  /** Shows a change at once and saves it; what could not be saved before goes along. */
  readonly save: (change: Partial<Pick<DayNote, 'notes' | 'tags'>>) => void
} => {
  const client = useQueryClient()
  const notes = useDayNotes()
  const { error, refetch } = useQuery(apiQuery(dayNotes, { query: {} }))
  const { mutate, isPending } = useMutation({
    scope,
    mutationFn: ({ change }: Unsaved) => callApi(setDayNote, { body: { ...change, tradingDay } }),
    onSuccess: ({ day }, { change }) => {
      client.setQueriesData<{ days: DayNote[] }>({ queryKey: [dayNotes.path] }, (known) => known && { days: [...known.days.filter((one) => one.tradingDay !== tradingDay), day] })
      // A later change of the day may still be on its way.
      if (useUnsaved.getState().days.get(tradingDay)?.change === change) note(tradingDay, null)
      void invalidateRoutes(client, dayNotes, statisticsRoutes.statistics, statisticsRoutes.filterChoices)
    },
    onError: (failure, { change }) => {
      if (useUnsaved.getState().days.get(tradingDay)?.change === change) note(tradingDay, { change, failure })
    },
  })
  const save = (change: Partial<Pick<DayNote, 'notes' | 'tags'>>): void => {
    const whole: Unsaved = { change: { ...useUnsaved.getState().days.get(tradingDay)?.change, ...change }, failure: null }
    note(tradingDay, whole)
    mutate(whole)
  }
  return {
    note: notes === null ? null : (notes.get(tradingDay) ?? { ...emptyOf(tradingDay), failure: null }),
    loadFailure: notes === null ? error : null,
    reload: () => void refetch(),
    saving: isPending,
    save,
  }
}
