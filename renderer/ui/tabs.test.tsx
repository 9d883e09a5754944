import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Tabs } from './tabs.tsx'

test.each(['pointer', 'keyboard'] as const)('while the panel of another tab is loading, the tab that shows leads back by the %s', async (by) => {
  const asked: string[] = []
  const { user } = await draw(<Tabs label="Views" value="rules" onChange={(next) => { asked.push(next) }} tabs={[{ value: 'rules', label: 'Rules', panel: null }, { value: 'alerts', label: 'Alerts', panel: null }]} />, { namespaces: ['ui'], session: somebody, answers: {} })
  await user.click(screen.getByRole('tab', { name: 'Rules' }))
  expect(asked).toEqual([])
  await user.click(screen.getByRole('tab', { name: 'Alerts' }))
  await (by === 'pointer' ? user.click(screen.getByRole('tab', { name: 'Rules' })) : user.keyboard('{ArrowLeft}'))
  expect(asked).toEqual(['alerts', 'rules'])
  await user.click(screen.getByRole('tab', { name: 'Rules' }))
  expect(asked).toEqual(['alerts', 'rules'])
})
