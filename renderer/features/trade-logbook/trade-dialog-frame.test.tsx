import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { emptyUserDraft } from './user-fields.ts'
import { UserFieldsForm } from './trade-dialog-frame.tsx'

const Shown = ({ stop, workingStop }: { stop: string; workingStop: string | null }) => {
  const [draft, setDraft] = useState({ ...emptyUserDraft, stop })
  return <UserFieldsForm symbol="MNQZ6" draft={draft} doubted={null} workingStop={workingStop} focusNotes={false} onChange={(change) => { setDraft({ ...draft, ...change }) }} />
}
const drawn = (stop: string, workingStop: string | null) =>
  draw(<FormatContext value={createFormat('en', 'UTC')}><Shown stop={stop} workingStop={workingStop} /></FormatContext>, {
    namespaces: ['trade-logbook'],
    session: somebody,
    answers: { [statisticsRoutes.filterChoices.path]: () => ({ json: { accounts: [], symbols: [], tags: [] } }) },
  })

test('a stop that worked at the broker is offered where none is noted, and fills the field when it is asked to', async () => {
  const { findByText, getByRole, queryByText, user } = await drawn('', '24205.50')
  await findByText('Working stop at the broker: 24,205.50')
  const field = getByRole('textbox', { name: 'Stop' })
  // Nothing is noted by itself.
  expect(field).toHaveProperty('value', '')
  await user.click(getByRole('button', { name: 'Use it' }))
  expect(field).toHaveProperty('value', '24205.50')
  expect(document.activeElement).toBe(field)
  expect(queryByText(/^Working stop/)).toBeNull()
  await user.clear(field)
  await findByText('Working stop at the broker: 24,205.50')
})

test('no stop is offered where one is noted, or where none worked', async () => {
  for (const [stop, workingStop] of [['24200', '24205.50'], ['', null]] as const) {
    const { findByRole, queryByText, unmount } = await drawn(stop, workingStop)
    await findByRole('textbox', { name: 'Stop' })
    expect(queryByText(/^Working stop/)).toBeNull()
    unmount()
  }
})
