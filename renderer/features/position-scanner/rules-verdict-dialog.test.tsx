import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ruleRoutes, type AccountRules, type AccountStanding, type Stage } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { noRules } from '#shared/rules/terms.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RulesAccount } from './rules-account.tsx'

const set = { ...noRules('USD'), startingBalance: '50000', maxLoss: { amount: '2000', trail: 'static' as const, locksAt: null } }
/** With what the account began on every later day. */
const begins = '48750.25'
const standingAt = (stage: Stage): AccountStanding => ({
  account: 'one', name: 'ONE', firm: null, currency: 'USD', stage, passed: stage === 'passed' ? '2026-01-12' : null, balance: '50000.00', dayNet: '0.00', dayNetOf: '2026-01-12', from: 'journal', at: null, nearest: null,
  states: [{ rule: 'max-loss', state: stage === 'breached' ? 'breached' : 'within', unit: 'money', limit: '48000.00', value: '50000.00', left: '2000.00', used: 0, by: 'rules', beside: null, since: stage === 'breached' ? { tradingDay: '2026-01-09', at: null } : null, notes: [] }],
})

/** The rules of an evaluation whose limit is being changed; `then` is its stage under them from a day on, null being the first trade. */
const change = async (then: (since: string | null) => Stage, now: Stage = 'evaluation') => {
  const rules: AccountRules = { account: 'one', stage: now, stageByHand: false, set, presetId: null, since: null, resetDay: null }
  const { user, asked } = await draw(<FormatContext value={createFormat('en', 'UTC')}><RulesAccount row={{ rules, standing: standingAt(now), name: 'ONE' }} rows={[]} part="set" led={false} onPart={() => undefined} onChoose={() => undefined} /></FormatContext>, {
    namespaces: ['rules', 'ui'],
    session: somebody,
    answers: {
      [ruleRoutes.rulePresets.path]: () => ({ json: { presets: [] } }),
      [ruleRoutes.tryRules.path]: (body) => {
        const { since, set: { startingBalance } } = body as { since: string | null; set: { startingBalance: string } }
        return { json: { standing: { ...standingAt(then(since)), ...(since === null || startingBalance === begins ? {} : { begins }) } } }
      },
      [ruleRoutes.rules.path]: (body) => (body === null ? { json: { accounts: [rules], standings: [standingAt(now)] } } : { json: { rules } }),
    },
  })
  const limit = (await screen.findAllByLabelText('Amount'))[0] ?? document.body
  await user.clear(limit)
  await user.type(limit, '1000')
  await user.click(screen.getByRole('button', { name: 'Save rules' }))
  const saved = () => asked.filter(({ path, body }) => path === ruleRoutes.rules.path && body !== null).map(({ body }) => body)
  return { user, saved }
}

test('rules that would breach an account say by which rule and when, and are saved from the day that is chosen', async () => {
  const today = tradingDay(Date.now())
  const { user, saved } = await change((since) => (since === null ? 'breached' : 'evaluation'))
  expect(await screen.findByRole('dialog', { name: 'ONE has breached these rules' })).toBeTruthy()
  expect(saved()).toEqual([])
  expect((screen.getByRole('radio', { name: 'Count from the first trade' }) as HTMLInputElement).checked).toBe(true)
  expect(screen.getByText('Drawdown limit breached on Jan 9, 2026.')).toBeTruthy()
  expect(screen.getByText('Starting balance $48,750.25. Neither passed nor breached.')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: /^Count from .*20/ }))
  await user.click(screen.getAllByRole('button', { name: 'Save rules' }).at(-1) ?? document.body)
  await screen.findByText('Rules saved.')
  expect(saved()).toMatchObject([{ account: 'one', since: today, set: { startingBalance: begins, maxLoss: { amount: '1000' } } }])
})

test('canceled, nothing is saved and what was typed stays', async () => {
  const { user, saved } = await change(() => 'passed')
  expect(await screen.findByRole('dialog', { name: 'ONE has passed under these rules' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(saved()).toEqual([])
  expect((screen.getAllByLabelText('Amount')[0] as HTMLInputElement).value).toBe('1000')
})

test.each([['an evaluation that goes on', 'evaluation', 'evaluation'], ['an account that is breached already', 'breached', 'breached']] as const)('%s is saved without a question', async (_, then, now) => {
  const { saved } = await change(() => then, now)
  await screen.findByText('Rules saved.')
  expect(saved()).toMatchObject([{ since: null, set: { maxLoss: { amount: '1000' } } }])
})
