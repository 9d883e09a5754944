import { priceRoutes } from '#shared/api/prices.ts'
import { draw, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DatabentoDialog } from './databento-dialog.tsx'

const open = async (hasKey: boolean, answer: () => Answer = () => ({ json: { success: true } })) => {
  const onClose = vi.fn()
  const drawn = await draw(<DatabentoDialog kept={{ hasKey, limit: '5.00', detail: 'ohlcv-1s' }} onClose={onClose} />, { namespaces: ['prices'], session: somebody, answers: { [priceRoutes.setDatabento.path]: answer } })
  return {
    ...drawn,
    onClose,
    save: () => drawn.getByRole('button', { name: 'Save' }) as HTMLButtonElement,
    enter: (label: string, value: string): void => { fireEvent.change(drawn.getByLabelText(label), { target: { value } }) },
    alerts: () => drawn.queryAllByRole('alert').map(({ textContent }) => textContent),
    sent: () => drawn.asked.flatMap(({ path, body }) => (path === priceRoutes.setDatabento.path ? [body] : [])),
  }
}

test('a key and a limit that do not fit show at once and cannot be saved; both are sent as they are read', async () => {
  const { user, save, enter, alerts, sent, onClose } = await open(false)
  expect(save().disabled).toBe(true)
  enter('Limit for one fetch (US dollars)', '10,000.01')
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter an amount from 0 to 10,000.']) })
  enter('API key', 'db a')
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter the key without spaces.', 'Enter an amount from 0 to 10,000.']) })
  enter('Limit for one fetch (US dollars)', ' 12.5 ')
  await vi.waitFor(() => { expect([alerts(), save().disabled]).toEqual([['Enter the key without spaces.'], true]) })
  enter('API key', ' db-key ')
  await vi.waitFor(() => { expect([alerts(), save().disabled]).toEqual([[], false]) })
  await user.click(save())
  await vi.waitFor(() => { expect(onClose).toHaveBeenCalledOnce() })
  expect(sent()).toEqual([{ key: 'db-key', limit: '12.50', detail: 'ohlcv-1s' }])
})

test('a stored key is kept where none is typed, and removed with the limit as it was', async () => {
  const kept = await open(true)
  kept.enter('Limit for one fetch (US dollars)', '0')
  await vi.waitFor(() => { expect(kept.save().disabled).toBe(false) })
  await kept.user.click(kept.save())
  await vi.waitFor(() => { expect(kept.onClose).toHaveBeenCalledOnce() })
  expect(kept.sent()).toEqual([{ limit: '0.00', detail: 'ohlcv-1s' }])
  kept.unmount()
  const removed = await open(true, () => ({ status: 500, json: { success: false, code: 'internal', error: 'internal' } }))
  removed.enter('Limit for one fetch (US dollars)', 'much')
  await removed.user.click(removed.getByRole('button', { name: 'Remove key' }))
  await vi.waitFor(() => { expect(removed.alerts()).toHaveLength(2) })
  expect([removed.sent(), removed.onClose.mock.calls.length]).toEqual([[{ key: null, limit: '5.00', detail: 'ohlcv-1s' }], 0])
})
