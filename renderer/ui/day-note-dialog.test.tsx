import { drawFor } from '#renderer/lib/browser-key.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import { ownDataRoutes, type DayNote } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DayNoteDialog } from './day-note-dialog.tsx'

const tradingDay = '2026-02-12'
const day = (notes: string): DayNote => ({ tradingDay, notes, tags: [] })

/** The dialog over a journal in which another window writes too. */
const open = async (notes: string) => {
  const journal = { notes }
  const sentTags: (readonly string[])[] = []
  const drawn = await draw(<FormatContext value={createFormat('en', 'America/Chicago')}><DayNoteDialog tradingDay={tradingDay} onClose={vi.fn()} /></FormatContext>, {
    namespaces: ['day-note', 'left-over'],
    session: somebody,
    answers: {
      [statisticsRoutes.filterChoices.path]: () => ({ json: { accounts: [], symbols: [], tags: [] } }),
      [leftOverRoutes.leftOverNotes.path]: () => ({ json: { notes: [] } }),
      [ownDataRoutes.dayNotes.path]: (body) => {
        const { notes: mine, tags, base } = (body ?? {}) as { notes?: string; tags?: readonly string[]; base?: { notes: string } }
        if (tags !== undefined) sentTags.push(tags)
        if (mine === undefined && tags === undefined) return { json: { days: [day(journal.notes)] } }
        if (mine !== undefined && base?.notes === journal.notes) journal.notes = mine
        return { json: { success: true, day: day(journal.notes) } }
      },
    },
  })
  await waitFor(() => { drawn.getByLabelText('Notes for the day') })
  return { ...drawn, journal, sentTags, field: () => drawn.getByLabelText('Notes for the day') as HTMLTextAreaElement }
}

test('what is typed is saved at a pause; what another window wrote since is asked about and never overwritten unasked', async () => {
  const { user, field, journal, getByRole, findByText, queryByRole } = await open('Calm.')
  await user.type(field(), ' Waited.')
  await waitFor(() => { expect(journal.notes).toBe('Calm. Waited.') }, { timeout: 3_000 })

  journal.notes = 'Calm. Waited. From elsewhere.'
  await user.type(field(), ' Then chased.')
  await findByText('Changed here and elsewhere. Saved elsewhere:', {}, { timeout: 3_000 })
  expect(journal.notes).toBe('Calm. Waited. From elsewhere.')
  await user.type(field(), ' Twice.')
  await user.tab()
  expect(journal.notes).toBe('Calm. Waited. From elsewhere.')
  await user.click(getByRole('button', { name: 'Keep mine' }))
  await waitFor(() => { expect(journal.notes).toBe('Calm. Waited. Then chased. Twice.') })
  await waitFor(() => { expect(queryByRole('button', { name: 'Keep mine' })).toBeNull() })
})

test('a pause of the words saves no half of a tag', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const { user, field, journal, sentTags, getByLabelText } = await open('Calm.')
  await user.type(field(), ' Waited.')
  await user.type(getByLabelText('Tags for the day'), 'cal')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(journal.notes).toBe('Calm. Waited.')
  await user.type(getByLabelText('Tags for the day'), 'm{Enter}')
  await user.tab()
  await waitFor(() => { expect(sentTags.at(-1)).toEqual(['calm']) }, { timeout: 3_000 })
  expect(sentTags.flat()).not.toContain('cal')
})

test('taking what was written elsewhere shows it, and leaves the journal as it is', async () => {
  const { user, field, journal, getByRole, findByText } = await open('One.')
  journal.notes = 'Two.'
  await user.type(field(), ' Mine.')
  await findByText('Two.', {}, { timeout: 3_000 })
  await user.click(getByRole('button', { name: 'Take theirs' }))
  expect(field().value).toBe('Two.')
  await user.type(field(), ' And more.')
  await waitFor(() => { expect(journal.notes).toBe('Two. And more.') }, { timeout: 3_000 })
})

test('a dialog that goes saves what was typed, but never into the journal of somebody who signed in meanwhile', async () => {
  const own = await open('')
  await own.user.type(own.field(), 'Mine')
  own.unmount()
  await waitFor(() => { expect(own.journal.notes).toBe('Mine') })
  const others = await open('')
  await others.user.type(others.field(), 'Not theirs')
  drawFor('another')
  others.unmount()
  expect(others.client.getMutationCache().getAll()).toEqual([])
})
