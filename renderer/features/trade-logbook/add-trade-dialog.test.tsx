import { drawFor } from '#renderer/lib/browser-key.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { unsentNewPrefix } from '#renderer/lib/unsent-prefix.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AddTradeDialog } from './add-trade-dialog.tsx'
import type { TradeDraft } from './draft.ts'

const open = async (left: TradeDraft | null = null) => {
  const [onClose, onLeft, onAdd] = [vi.fn(), vi.fn(), vi.fn()]
  const drawn = await draw(<FormatContext value={createFormat('en', 'America/Chicago')}><AddTradeDialog left={left} onClose={onClose} onLeft={onLeft} onAdd={onAdd} /></FormatContext>, {
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
  expect([again.notes().value, again.queryByText('You entered this trade earlier but did not add it.') !== null]).toEqual(['Waited.', true])
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
  expect([again.notes().value, again.queryByText('You entered this trade earlier but did not add it.') !== null]).toEqual(['Half a thought.', true])
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

test('what is wrong shows at its fields once the trade is added, then with each change, and the trade is added when nothing is', async () => {
  const { user, onAdd, onClose, getByLabelText, getByRole, queryAllByRole, unmount } = await open()
  const add = () => user.click(getByRole('button', { name: 'Add trade' }))
  const alerts = (): (string | null)[] => queryAllByRole('alert').map(({ textContent }) => textContent)
  const enter = (label: string, value: string): void => { fireEvent.change(getByLabelText(label), { target: { value } }) }
  enter('Entry price', 'far')
  // A stop and tags say at once what is wrong with them.
  enter('Stop', 'near')
  expect(alerts()).toEqual(['Enter a number with a point, like 6052.25.'])
  await add()
  await vi.waitFor(() => { expect(alerts()).toEqual(['This field is required.', 'Enter a number with a point, like 6052.25.', 'This field is required.', 'Enter a number with a point, like 6052.25.']) })
  expect([onAdd.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 0])
  enter('Contract', 'MESU6')
  enter('Entry price', '6000')
  enter('Exit price', '6002.1')
  enter('Stop', '5990')
  expect(alerts()).toEqual([])
  enter('Entry time', '2026-02-13T15:30:00')
  enter('Exit time', '2026-02-13T15:00:00')
  await vi.waitFor(() => { expect(alerts()).toEqual(['The exit cannot be before the entry.']) })
  enter('Exit time', '2026-02-13T16:00:00')
  enter('Commissions & fees', '1.24')
  enter('Notes', 'By hand.')
  await user.type(getByLabelText('Tags'), 'calm')
  await user.click(getByRole('radio', { name: 'Short' }))
  await add()
  await vi.waitFor(() => { expect(onAdd).toHaveBeenCalledOnce() })
  const [[sent, shown] = []] = onAdd.mock.calls as [object, object][]
  expect(sent).toEqual({
    id: expect.any(String), symbol: 'MESU6', account: '', accountId: '', side: 'short', qty: 1, entryPrice: 6000, exitPrice: 6002.1, entryTime: '2026-02-13T15:30:00.000Z', exitTime: '2026-02-13T16:00:00.000Z', commission: '1.24',
    platform: '', notes: 'By hand.', tags: ['calm'], stop: '5990', screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '',
  })
  expect(shown).toMatchObject({ symbol: 'MESU6', origin: 'manual', userId: 'u', netPnl: '-11.74' })
  expect(onClose).toHaveBeenCalledExactlyOnceWith(null)
  unmount()
  expect([onAdd.mock.calls.length, localStorage.getItem(unsentNewPrefix), Object.keys(localStorage).filter((name) => name.startsWith(unsentNewPrefix))]).toEqual([1, null, []])
})

test('Cancel hands back what was entered, and an undo opens it again', async () => {
  const first = await open()
  fireEvent.change(first.getByLabelText('Contract'), { target: { value: 'NQH6' } })
  fireEvent.change(first.getByLabelText('Notes'), { target: { value: 'Not yet.' } })
  await first.user.click(first.getByRole('button', { name: 'Cancel' }))
  const [left] = first.onClose.mock.calls[0] ?? []
  expect(left).toMatchObject({ facts: { symbol: 'NQH6', side: 'long', qty: '1' }, own: { notes: 'Not yet.' } })
  first.unmount()
  const again = await open(left as TradeDraft)
  expect([(again.getByLabelText('Contract') as HTMLInputElement).value, again.notes().value, again.queryByText('You entered this trade earlier but did not add it.')]).toEqual(['NQH6', 'Not yet.', null])
  fireEvent.change(again.getByLabelText('Contract'), { target: { value: '' } })
  await again.user.click(again.getByRole('button', { name: 'Cancel' }))
  expect(again.onClose).toHaveBeenCalledWith(expect.objectContaining({ own: expect.objectContaining({ notes: 'Not yet.' }) as unknown }))
  again.unmount()
  const third = await open()
  await third.user.click(third.getByRole('button', { name: 'Cancel' }))
  expect(third.onClose).toHaveBeenCalledExactlyOnceWith(null)
})

test('a trade that is sent twice before the dialog closes is added once', async () => {
  const { onAdd, onClose, getByLabelText, getByRole, unmount } = await open()
  for (const [label, value] of [['Contract', 'MESU6'], ['Entry price', '6000'], ['Exit price', '6002']] as const) fireEvent.change(getByLabelText(label), { target: { value } })
  const add = getByRole('button', { name: 'Add trade' })
  fireEvent.click(add)
  fireEvent.click(add)
  // The validation of both clicks ends in the same turn.
  await vi.waitFor(() => { expect(onClose).toHaveBeenCalled() })
  expect([onAdd.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 1])
  unmount()
})
