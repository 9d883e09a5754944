import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { livePosition, ruleState } from '#tests/helpers/positions-live.ts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { columnsOf } from './columns.ts'
import { PositionLine } from './position-line.tsx'

const open = (currency: string, accountCurrency = 'USD') => {
  const position = livePosition('one', { contract: 'NIYZ6', product: 'NIY', currency, open: { amount: '-5000.00', from: 'prices', at: 1 } })
  const line = <PositionLine line={0} columns={columnsOf('product', false)} position={position} name="ONE" firm={null} accountCurrency={accountCurrency} nearest={ruleState('max-loss')} against="" lastAgeMs={null} openAgeMs={null} dim={false} active={false} measure={() => undefined} />
  return draw(<FormatContext value={createFormat('en', 'UTC', (number) => `unknown currency ${number}`)}><table><tbody>{line}</tbody></table></FormatContext>, { namespaces: ['position-scanner', 'rules', 'ui'], session: somebody })
}
const openText = () => screen.getByText('−5,000.00').parentElement?.textContent?.trim()

test('open P&L in another currency than the account’s carries it, and limits are in the account’s', async () => {
  await open('#4')
  expect(openText()).toBe('−5,000.00 unknown currency 4')
  expect(document.body.textContent).toContain('$')
})

test('an account whose currency has no code shows its limits with the words for it', async () => {
  await open('USD', '#4')
  expect(openText()).toBe('−5,000.00 USD')
  expect(document.body.textContent).toMatch(/\d unknown currency 4/)
})

test('open P&L in the account’s currency carries none', async () => {
  await open('USD')
  expect(openText()).toBe('−5,000.00')
})
