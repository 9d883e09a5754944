import { drawFor } from '#renderer/lib/browser-key.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { unsentNewPrefix } from '#renderer/lib/unsent-prefix.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { expect, test, vi } from 'vitest'
import { AddTradeDialog } from './add-trade-dialog.tsx'

const open = async () => {
  const [onClose, onLeft, onAdd] = [vi.fn(), vi.fn(), vi.fn()]
  const drawn = await draw(<FormatContext value={createFormat('en', 'America/Chicago')}><AddTradeDialog left={null} onClose={onClose} onLeft={onLeft} onAdd={onAdd} /></FormatContext>, {
    namespaces: ['trade-logbook'],
    session: somebody,
    answers: { [statisticsRoutes.filterChoices.path]: () => ({ json: { accounts: [], symbols: [], tags: [] } }) },
  })
  return { ...drawn, onClose, onLeft, onAdd, notes: () => drawn.getByLabelText('Notes') as HTMLTextAreaElement }
}

test('a new trade that Back or a reload takes away is still there; one that was canceled is not', async () => {
  const first = await open()
  await first.user.type(first.notes(), 'Waited.')
  const kept = JSON.stringify(Object.entries(localStorage).filter(([name]) => name.startsWith(unsentNewPrefix)))
  expect(kept).toContain('Waited.')
  first.unmount()
  expect([first.onLeft.mock.calls.length, first.onClose.mock.calls.length]).toEqual([1, 0])

  const again = await open()
  expect([again.notes().value, again.queryByText('You entered this before and did not add it.') !== null]).toEqual(['Waited.', true])
  await again.user.click(again.getByRole('button', { name: 'Cancel' }))
  again.unmount()
  expect([again.onLeft.mock.calls.length, again.onClose.mock.calls.length]).toEqual([0, 1])
  expect((await open()).notes().value).toBe('')
})

test('Escape keeps what was typed, and the next new trade offers it', async () => {
  const first = await open()
  await first.user.type(first.notes(), 'Half a thought.')
  await first.user.keyboard('{Escape}')
  expect(first.onClose).toHaveBeenCalledExactlyOnceWith(null)
  first.unmount()
  expect(first.onLeft).toHaveBeenCalledOnce()
  const again = await open()
  expect([again.notes().value, again.queryByText('You entered this before and did not add it.') !== null]).toEqual(['Half a thought.', true])
  await again.user.click(again.getByRole('button', { name: 'Cancel' }))
  again.unmount()
})

test('what another page that is gone kept fills an empty form, and nothing of another user is kept or shown', async () => {
  const first = await open()
  await first.user.type(first.notes(), 'Mine.')
  const [[name = '', value = ''] = []] = Object.entries(localStorage).filter(([one]) => one.startsWith(unsentNewPrefix)) as [string, string][]
  await first.user.click(first.getByRole('button', { name: 'Cancel' }))
  first.unmount()
  expect(localStorage.getItem(name)).toBeNull()
  localStorage.setItem(`${unsentNewPrefix}gone`, value)
  localStorage.setItem(`${unsentNewPrefix}other`, value.replace('"userId":"u"', '"userId":"other"'))
  const again = await open()
  await vi.waitFor(() => { expect(again.notes().value).toBe('Mine.') })
  expect([localStorage.getItem(`${unsentNewPrefix}gone`), localStorage.getItem(`${unsentNewPrefix}other`)]).toEqual([null, expect.any(String)])
  await again.user.click(again.getByRole('button', { name: 'Start empty' }))
  expect(again.notes().value).toBe('')
  drawFor('other')
  again.unmount()
})
