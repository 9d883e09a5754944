import { ownDataRoutes, type DayNote } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, callApiKept, invalidateRoutes } from './api.ts'
import { drawnFor } from './browser-key.ts'
import { emptyOf, keepUnsaved, useDayNotes, useUnsaved, type DayNoteChange, type ShownDayNote, type Unsaved } from './day-notes.ts'
import { useUserId } from './session.ts'

const { dayNotes, setDayNote } = ownDataRoutes
// One after another: a later change of a day never overtakes an earlier one.
const scope = { id: 'day-notes' }

type OfDay = Pick<Unsaved, 'change' | 'base'> & { readonly tradingDay: string }

/** Saves unsaved changes of days. */
export const useDaySaving = () => {
  const client = useQueryClient()
  return useMutation({
    scope,
    // An earlier change may have been saved since this one was made: read its base when it is sent.
    mutationFn: ({ tradingDay, change, base }: OfDay) => callApiKept(setDayNote, { body: { ...change, base: useUnsaved.getState().days.get(tradingDay)?.base ?? base, tradingDay } }),
    onSuccess: ({ day }, { tradingDay, change }) => {
      client.setQueriesData<{ days: DayNote[] }>({ queryKey: [dayNotes.path] }, (known) => known && { days: [...known.days.filter((one) => one.tradingDay !== tradingDay), day] })
      const now = useUnsaved.getState().days.get(tradingDay)
      const mine = change.notes !== undefined && change.notes !== day.notes ? change.notes : null
      // A later change of the day may still be pending.
      if (now?.change === change) keepUnsaved(tradingDay, mine === null ? null : { change: { notes: mine }, base: { notes: day.notes }, failure: null, theirs: day.notes })
      else if (now !== undefined && mine === null) keepUnsaved(tradingDay, { ...now, base: { ...now.base, ...change } })
      void invalidateRoutes(client, dayNotes, statisticsRoutes.statistics, statisticsRoutes.filterChoices)
    },
    onError: (failure, { tradingDay, change }) => {
      const now = useUnsaved.getState().days.get(tradingDay)
      if (now?.change === change) keepUnsaved(tradingDay, { ...now, failure })
    },
  })
}

/** One day's note for editing: `note` is null until loaded, `kept` is the journal's version. */
export const useDayNote = (
  tradingDay: string,
): {
  readonly note: ShownDayNote | null
  readonly kept: DayNote
  readonly loadFailure: unknown
  readonly reload: () => void
  readonly saving: boolean
  /** Shows a change at once and saves it if the journal still has `base`; includes changes that could not be saved before. */
  readonly save: (change: DayNoteChange, base: DayNoteChange) => void
  /** Of two versions, saves the own one, or keeps the journal's. */
  readonly decide: (side: 'mine' | 'theirs') => void
} => {
  const notes = useDayNotes()
  const { data, error, refetch } = useQuery(apiQuery(dayNotes, { query: {} }))
  const { mutate, isPending } = useDaySaving()
  // Only for its author: a dialog that closes because another user signed in must not write into that user's journal.
  const [writer] = useState(useUserId())
  const save = (change: DayNoteChange, base: DayNoteChange): void => {
    if (drawnFor() !== writer) return
    const before = useUnsaved.getState().days.get(tradingDay)
    if (before !== undefined && before.theirs !== null) {
      keepUnsaved(tradingDay, { ...before, change: { ...before.change, ...change } })
      return
    }
    const whole: Unsaved = { change: { ...before?.change, ...change }, base: { ...base, ...before?.base }, failure: null, theirs: null }
    keepUnsaved(tradingDay, whole)
    mutate({ ...whole, tradingDay })
  }
  const decide = (side: 'mine' | 'theirs'): void => {
    const asked = useUnsaved.getState().days.get(tradingDay)
    const mine = asked === undefined || side === 'theirs' ? null : { ...asked, theirs: null }
    keepUnsaved(tradingDay, mine)
    if (mine !== null) mutate({ ...mine, tradingDay })
  }
  const none = { ...emptyOf(tradingDay), failure: null, theirs: null }
  return {
    note: notes === null ? null : (notes.get(tradingDay) ?? none),
    kept: data?.days.find((day) => day.tradingDay === tradingDay) ?? emptyOf(tradingDay),
    loadFailure: notes === null ? error : null,
    reload: () => void refetch(),
    saving: isPending,
    save,
    decide,
  }
}
