import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import { CalendarPanel } from './calendar-panel.tsx'
import { MonthCard } from './month-card.tsx'

// Wednesday; the session of the 12th runs.
const now = Date.UTC(2026, 10, 11, 23, 30)
beforeEach(() => { vi.useFakeTimers({ toFake: ['Date'], now }) })
afterEach(() => { vi.useRealTimers() })

const money = [{ currency: 'USD', grossPnl: '10.00', commission: '0.00', netPnl: '10.00' }]
const statistics = { unit: 'trades', all: { money }, firstDay: '2026-11-05', lastDay: '2026-11-05', days: [{ tradingDay: '2026-11-05', count: 1, wins: 1, losses: 0, winRate: 1, money }], weeks: [] } as unknown as StatisticsAnswer
const note = { tradingDay: '2026-11-07', notes: 'Reviewed the week', tags: [] }

test.each([['the calendar', CalendarPanel], ['the month at a glance', MonthCard]] as const)('in %s a day without trades opens its note by click and by keyboard, weekends too, and no day that is still to come', async (_, Calendar) => {
  const answers = { [ownDataRoutes.dayNotes.path]: () => ({ json: { days: [note] } }), [leftOverRoutes.leftOverNotes.path]: () => ({ json: { notes: [] } }) }
  const { findByRole, getByRole, getByLabelText, queryByRole, getAllByRole, user } = await draw(<FormatContext value={createFormat('en', 'UTC')}><Calendar statistics={statistics} /></FormatContext>, { namespaces: ['statistics', 'day-note', 'left-over'], session: somebody, answers })
  // A Saturday with a note and no trades is marked.
  const noted = await findByRole('button', { name: /^Open the note for .*Nov 7/ })
  expect(noted.dataset['state']).toBe('noted')
  const openable = getAllByRole('button', { name: /^(Write a|Open the) note for .*Nov/ }).map(({ ariaLabel, title }) => Number(/Nov (\d+)/.exec(ariaLabel ?? title)?.[1]))
  expect(openable.filter((day) => day !== 5)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12])
  expect(queryByRole('button', { name: /Nov 13/ })).toBeNull()
  noted.focus()
  await user.keyboard('{Enter}')
  expect((await findByRole('dialog')).textContent).toContain('Nov 7')
  expect((getByLabelText('Notes for the day') as HTMLTextAreaElement).value).toBe(note.notes)
  await user.keyboard('{Escape}')
  await waitFor(() => { expect(queryByRole('dialog')).toBeNull() })
  await user.click(getByRole('button', { name: /^Write a note for .*Nov 11/ }))
  expect((await findByRole('dialog')).textContent).toContain('Nov 11')
})
