import { unsentDaysPrefix } from '#renderer/lib/unsent-prefix.ts'
import { keepUnsaved } from '#renderer/lib/day-notes.ts'
import { showTo } from '#renderer/lib/of-user.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { UnsentDays } from './unsent-days.tsx'

const tradingDay = '2026-02-12'
const names = () => Object.keys(localStorage).filter((name) => name.startsWith(unsentDaysPrefix))

test('a day’s note that could not be saved outlives its page, and the next page saves it for its writer alone', async () => {
  const writer = somebody.currentUser
  if (writer === null) throw new Error('nobody')
  showTo(writer)
  keepUnsaved(tradingDay, { change: { notes: 'Waited.' }, base: { notes: 'Calm.' }, failure: new Error('offline'), theirs: null })
  const [own = ''] = names()
  const kept = JSON.parse(localStorage.getItem(own) ?? '[]') as object[]
  expect(kept).toMatchObject([{ tradingDay, change: { notes: 'Waited.' }, base: { notes: 'Calm.' } }])
  keepUnsaved(tradingDay, null)
  expect(names()).toEqual([])

  const place = `${unsentDaysPrefix}gone`
  const [of, other] = [writer.uid, 'another'].map((userId, at) => ({ ...kept[0], userId, tradingDay: at === 0 ? tradingDay : '2026-02-11' }))
  localStorage.setItem(place, JSON.stringify([of, other]))
  const sent: unknown[] = []
  await draw(<UnsentDays />, {
    namespaces: [],
    session: somebody,
    answers: {
      [ownDataRoutes.dayNotes.path]: (body) => {
        sent.push(body)
        return { json: { success: true, day: { tradingDay, notes: 'Waited.', tags: [] } } }
      },
    },
  })
  await waitFor(() => { expect(sent).toEqual([{ tradingDay, notes: 'Waited.', base: { notes: 'Calm.' } }]) })
  expect(localStorage.getItem(place)).toBe(JSON.stringify([other]))
  await waitFor(() => { expect(names()).toEqual([place]) })
})
