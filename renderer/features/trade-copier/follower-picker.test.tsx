import { draw } from '#tests/helpers/drawn.tsx'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { Candidate } from './candidates.ts'
import type { TypedRule } from './draft.ts'
import { FollowerPicker } from './follower-picker.tsx'

const candidate = (id: string, foreign: string | null = null) => ({ account: { id, name: id, firm: 'Topstep', loginName: 'mine', environment: 'demo' }, foreign, takenBy: null }) as unknown as Candidate

const Picker = () => {
  const [followers, setFollowers] = useState<readonly TypedRule[]>([])
  const [shown, setShown] = useState<string | null>(null)
  return (
    <>
      <FollowerPicker candidates={[candidate('PA-1'), candidate('PA-2'), candidate('PA-3', 'ProjectX')]} followers={followers} wrong={[]} shown={shown} onShow={setShown} onChange={setFollowers} />
      <output>{shown}</output>
    </>
  )
}

test('clicking an account’s name checks it as its box does, and that of a checked one shows its settings', async () => {
  const { user } = await draw(<Picker />, { namespaces: ['trade-copier'] })
  const checked = () => screen.getAllByRole('checkbox').map((box) => box.getAttribute('aria-checked'))
  await user.click(screen.getByText('PA-1'))
  expect(checked()).toEqual(['true', 'false', 'false'])
  await user.click(screen.getByText('PA-2'))
  expect([checked(), screen.getByRole('status').textContent]).toEqual([['true', 'true', 'false'], 'PA-2'])
  await user.click(screen.getByText('PA-1'))
  expect([checked(), screen.getByRole('status').textContent]).toEqual([['true', 'true', 'false'], 'PA-1'])
  await user.click(screen.getByText('PA-3'))
  expect(checked()).toEqual(['true', 'true', 'false'])
})
