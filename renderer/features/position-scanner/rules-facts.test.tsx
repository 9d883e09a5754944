import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import type { RulePreset } from '#shared/api/rules.ts'
import { rulePresets } from '#shared/rules/presets/presets.ts'
import { draw } from '#tests/helpers/drawn.tsx'
import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PresetFacts } from './rules-facts.tsx'

const open = (firm: RulePreset['firm']) => {
  const preset = rulePresets.find((one) => one.firm === firm)
  if (preset === undefined) throw new RangeError(firm)
  return draw(<FormatContext value={createFormat('en', 'UTC')}><PresetFacts preset={preset} /></FormatContext>, { namespaces: ['rules'] })
}
const hosts = (list: HTMLElement): string[] => [...new Set(within(list).getAllByRole('link').map(({ textContent }) => textContent))]

test('figures of the firm’s own pages stand apart from those that others read', async () => {
  const { getByRole, getByText } = await open('Topstep')
  expect(hosts(getByRole('list', { name: 'From Topstep’s own pages' }))).toEqual(['help.topstep.com'])
  expect(hosts(getByRole('list', { name: 'Not the firm’s own page: read by others, unconfirmed' }))).toEqual(['github.com'])
  expect(getByText(/These figures come from public pages/)).toBeTruthy()
})

test('a source that says several figures is named once', async () => {
  const { getByRole, getAllByText } = await open('Bulenox')
  const list = getByRole('list', { name: 'Not the firm’s own page: read by others, unconfirmed' })
  expect(within(list).getAllByRole('link')).toHaveLength(1)
  expect(getAllByText(/as listed by kyoshiroDev/)).toHaveLength(1)
  expect(within(list).getByText(/^Profit target/)).toBeTruthy()
})

test('where nothing comes from the firm, the notice says so', async () => {
  const { queryByRole, getByText } = await open('Bulenox')
  expect(queryByRole('list', { name: /own pages$/ })).toBeNull()
  expect(getByText(/None of these figures comes from Bulenox’s own pages\. They are unconfirmed/)).toBeTruthy()
})
