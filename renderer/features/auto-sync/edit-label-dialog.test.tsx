import { recordRoutes } from '#shared/api/journal.ts'
import type { Finance } from '#shared/api/records.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { draw, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { EditLabelDialog } from './edit-label-dialog.tsx'

const { addFinance, getFinances } = recordRoutes
const evaluation: Finance = { id: 'tradovate:live:7', userId: 'u', type: 'Evaluation Account', amount: 0, date: '2026-02-13', name: '50K-7', balance: 50_000, currency: 'USD', platform: 'NinjaTrader', firm: 'Tradeify', category: 'other', account: null, note: '' }
const rules = { account: evaluation.id, stage: 'evaluation', stageByHand: true }

const open = async (finance: Finance, save: () => Answer) => {
  const left: string[] = []
  const drawn = await draw(<EditLabelDialog row={{ finance, connection: null, leader: null, twin: null }} onClose={() => { left.push('closed') }} />, {
    namespaces: ['auto-sync', 'rules'],
    session: somebody,
    answers: {
      [addFinance.path]: save,
      [ruleRoutes.rules.path]: () => ({ json: { accounts: [rules], standings: [] } }),
      [ruleRoutes.setStage.path]: () => ({ json: { rules: { ...rules, stage: 'funded', stageByHand: false } } }),
    },
  })
  const choose = async (field: string, option: string) => {
    await drawn.user.click(drawn.getByRole('combobox', { name: field }))
    await drawn.user.click(drawn.getByRole('option', { name: option }))
  }
  const saving = () => drawn.getByRole('button', { name: 'Save' }) as HTMLButtonElement
  return { ...drawn, left, choose, saving }
}

test('an evaluation that was passed becomes funded, and a stage that was set by hand follows', async () => {
  const { choose, saving, user, asked, left } = await open(evaluation, () => ({ json: { success: true, finance: { ...evaluation, type: 'Funded Account' } } }))
  expect(saving().disabled).toBe(true)
  await choose('Account Type', 'Funded Account')
  await user.click(saving())
  await waitFor(() => { expect(left).toEqual(['closed']) })
  expect(asked.find(({ path }) => path === addFinance.path)?.body).toEqual({ userId: 'u', finance: { ...evaluation, type: 'Funded Account' } })
  await waitFor(() => { expect(asked.find(({ path }) => path === ruleRoutes.setStage.path)?.body).toEqual({ account: evaluation.id, stage: null }) })
})

test('an own account has no firm, and one of a firm needs one', async () => {
  const { choose, saving, queryByRole, user, asked } = await open(evaluation, () => ({ json: { success: true, finance: { ...evaluation, type: 'Funded Account', firm: null } } }))
  await choose('Account Type', 'Own account')
  expect(queryByRole('combobox', { name: 'Firm' })).toBeNull()
  await user.click(saving())
  await waitFor(() => { expect(asked.find(({ path }) => path === addFinance.path)?.body).toMatchObject({ finance: { type: 'Funded Account', firm: null, platform: 'NinjaTrader' } }) })
  expect(asked.some(({ path }) => path === getFinances.path)).toBe(false)
})

test('what was not saved says why and stays open', async () => {
  const { choose, saving, user, findByRole, left } = await open({ ...evaluation, firm: null, type: 'Funded Account' }, () => ({ status: 500, json: { success: false, error: 'internal', code: 'internal' } }))
  await choose('Account Type', 'Evaluation Account')
  expect(saving().disabled).toBe(true)
  await choose('Firm', 'Tradeify')
  await user.click(saving())
  expect((await findByRole('alert')).textContent).toContain('Failed to save finance')
  expect(left).toEqual([])
})
