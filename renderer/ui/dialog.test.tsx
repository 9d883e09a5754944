import { draw } from '#tests/helpers/drawn.tsx'
import { expect, test, vi } from 'vitest'
import { AskButtons, Dialog } from './dialog.tsx'

const ask = async (variant: 'default' | 'destructive') => {
  const [cancel, confirm] = [vi.fn(), vi.fn()]
  const drawn = await draw(<Dialog open title="Flatten?" onClose={cancel} footer={<AskButtons cancel="Cancel" onCancel={cancel} confirm="Flatten" variant={variant} onClick={confirm} />} />, { namespaces: ['ui'] })
  return { ...drawn, cancel, confirm }
}

test('a destructive question has its focus on Cancel: Enter cancels, and only Tab and Enter confirm', async () => {
  const { user, getByRole, cancel, confirm } = await ask('destructive')
  expect(document.activeElement).toBe(getByRole('button', { name: 'Cancel' }))
  await user.keyboard('{Enter}')
  expect([cancel.mock.calls.length, confirm.mock.calls.length]).toEqual([1, 0])
  await user.tab()
  await user.keyboard('{Enter}')
  expect([cancel.mock.calls.length, confirm.mock.calls.length]).toEqual([1, 1])
})

test('a key held down answers a question at most once', async () => {
  const { user, cancel, confirm } = await ask('destructive')
  await user.keyboard('{Enter>3/}')
  expect([cancel.mock.calls.length, confirm.mock.calls.length]).toEqual([1, 0])
})
