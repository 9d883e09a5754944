import { createFormat } from '#renderer/lib/format.ts'
import { standingsQuery } from '#renderer/lib/rules.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ruleRoutes, type AccountRules, type AccountStanding, type RulePreset, type RuleSet } from '#shared/api/rules.ts'
import { noRules } from '#shared/rules/terms.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { useQuery } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RulesAccount } from './rules-account.tsx'

const set: RuleSet = { ...noRules('USD'), startingBalance: '50000', maxLoss: { amount: '2000', trail: 'static', locksAt: null }, contracts: { all: null, micros: 'whole', byProduct: [{ product: 'NQ', most: 3 }, { product: 'ES', most: 2 }], scaling: [] } }
const preset: RulePreset = { id: 'core', firm: 'MyFundedFutures', plan: 'Core', size: '50000.00', phase: 'evaluation', set: { ...set, startingBalance: '0.00', maxLoss: null, profitTarget: '3000.00' }, facts: [{ fact: 'Target', source: 'https://example.com/', readOn: '2026-01-02', ofFirm: true }], leftOut: [] }

const standing: AccountStanding = { account: '', name: 'ONE', firm: 'MyFundedFutures', currency: 'USD', stage: 'evaluation', passed: null, states: null, balance: '50000.00', dayNet: null, dayNetOf: '2026-01-12', from: 'journal', at: null, nearest: null }

const Opened = () => {
  const rules = useQuery(standingsQuery).data?.accounts[0]
  return rules && (
    <>
      <output aria-label="Read">{rules.set?.maxLoss?.amount}</output>
      <RulesAccount row={{ rules, standing, name: 'ONE' }} rows={[]} part="set" led={false} onPart={() => undefined} onChoose={() => undefined} />
    </>
  )
}

/** The rules of account `name`, edited; `kept` are what the program knows. */
const open = async (name: string, given: RuleSet | null = set) => {
  const kept: { rules: AccountRules; standing: AccountStanding; refuses: boolean; tried: Promise<unknown>; saved: Promise<unknown> } = { standing, refuses: false, tried: Promise.resolve(), saved: Promise.resolve(), rules: { account: name, stage: 'evaluation', stageByHand: false, set: given, presetId: null, since: null, resetDay: null } }
  const { asked, ...drawn } = await draw(<FormatContext value={createFormat('en', 'UTC')}><Opened /></FormatContext>, {
    namespaces: ['problems', 'rules', 'ui'],
    session: somebody,
    answers: {
      [ruleRoutes.rulePresets.path]: () => ({ json: { presets: [preset] } }),
      [ruleRoutes.tryRules.path]: async () => {
        await kept.tried
        return { json: { standing: kept.standing } }
      },
      [ruleRoutes.rules.path]: async (body) => {
        if (body !== null) await kept.saved
        if (body !== null && kept.refuses) return { status: 400, json: { success: false, code: 'invalid-request', error: 'invalid-request' } }
        if (body !== null) kept.rules = { ...kept.rules, ...(body as Partial<AccountRules>) }
        return { json: body === null ? { accounts: [kept.rules], standings: [] } : { rules: kept.rules } }
      },
    },
  })
  return { ...drawn, kept, saved: () => asked.flatMap(({ path, body }) => (path === ruleRoutes.rules.path && body !== null ? [body] : [])) }
}

const ofRule = (rule: string) => within(screen.getByRole('group', { name: rule }))
const press = (name: string): HTMLButtonElement => screen.getByRole('button', { name })
const valueOf = (field: HTMLElement): string => (field as HTMLInputElement).value
const amount = async (): Promise<HTMLElement> => (await screen.findByRole('group', { name: 'Drawdown limit' })) && ofRule('Drawdown limit').getByLabelText('Amount')

test('wrong fields show when the rules are saved, the first one has the focus, and any change takes the messages away', async () => {
  const { user, saved } = await open('wrong')
  const limit = await amount()
  // Its fields come to the form last.
  await user.click(screen.getByRole('switch', { name: 'Profit target' }))
  await user.clear(limit)
  await user.type(limit, 'two thousand')
  await user.clear(screen.getByLabelText('Max contracts of product 2'))
  expect([screen.queryAllByRole('alert'), screen.getAllByText('Not saved').length]).toEqual([[], 2])
  await user.click(press('Save rules'))
  await screen.findByText('Correct 3 fields.')
  expect(document.activeElement).toBe(limit)
  expect(ofRule('Drawdown limit').getByRole('alert').textContent).toBe('Enter an amount above zero, with at most two decimals.')
  expect(limit.getAttribute('aria-invalid')).toBe('true')
  expect(ofRule('Max contracts').getByRole('alert').textContent).toBe('Enter a whole number of at least 1.')
  expect(screen.getByLabelText('Max contracts of product 1').getAttribute('aria-invalid')).toBeNull()
  await user.click(screen.getByRole('switch', { name: 'No hedging' }))
  expect([screen.queryAllByRole('alert'), screen.queryByText('Correct 3 fields.')]).toEqual([[], null])
  await user.click(press('Save rules'))
  await screen.findByText('Correct 3 fields.')
  await user.type(screen.getByLabelText('Max contracts of product 2'), '0')
  expect(screen.queryAllByRole('alert')).toEqual([])
  await user.click(press('Save rules'))
  await screen.findByText('Correct 3 fields.')
  expect(saved()).toEqual([])
  await user.click(press('Discard'))
})

test('rows are added and removed, choices and switches made, and the rules are sent as they are read', async () => {
  const { user, saved } = await open('rows')
  const limit = await amount()
  await user.clear(limit)
  await user.type(limit, ' $2,250.50')
  await user.click(press('Remove product 1'))
  expect(valueOf(screen.getByLabelText('Product 1'))).toBe('ES')
  await user.click(press('Add a product'))
  await user.type(screen.getByLabelText('Product 2'), 'nq')
  await user.type(screen.getByLabelText('Max contracts of product 2'), '4')
  await user.click(press('Add a step'))
  await user.type(screen.getByLabelText('Profit of step 1'), '1500')
  await user.type(screen.getByLabelText('Max contracts of step 1'), '5')
  await user.click(press('Add a step'))
  await user.type(screen.getByLabelText('Profit of step 2'), '0')
  await user.type(screen.getByLabelText('Max contracts of step 2'), '2')
  await user.click(screen.getByRole('switch', { name: 'Flat by' }))
  await user.type(screen.getByLabelText('Count from'), '2026-02-02')
  await user.click(press('Save rules'))
  await screen.findByText('Rules saved.')
  expect(saved()).toEqual([
    {
      account: 'rows', presetId: null, since: '2026-02-02',
      set: {
        ...set, maxLoss: { amount: '2250.50', trail: 'static', locksAt: null }, flatBy: { time: '15:10', zone: 'America/Chicago' },
        contracts: { all: null, micros: 'whole', byProduct: [{ product: 'ES', most: 2 }, { product: 'NQ', most: 4 }], scaling: [{ fromProfit: '0', most: 2 }, { fromProfit: '1500', most: 5 }] },
      },
    },
  ])
  // The form shows the rules as they were saved.
  expect([valueOf(await amount()), valueOf(screen.getByLabelText('Profit of step 1')), press('Save rules').disabled, press('Discard').disabled]).toEqual(['2250.50', '0', true, true])
})

test('what is typed outlives the screen until it is discarded', async () => {
  const first = await open('left')
  await first.user.type(await amount(), '.50')
  await first.user.click(press('Remove product 2'))
  first.unmount()
  const again = await open('left')
  expect([valueOf(await amount()), screen.queryByLabelText('Product 2'), screen.getAllByText('Not saved').length]).toEqual(['2000.50', null, 2])
  await again.user.type(await amount(), '0')
  expect(valueOf(await amount())).toBe('2000.500')
  await again.user.click(press('Discard'))
  expect([valueOf(await amount()), valueOf(screen.getByLabelText('Product 2')), screen.queryByText('Not saved'), press('Save rules').disabled]).toEqual(['2000', 'ES', null, true])
})

test('rules that another window saves show here, unless others are being typed', async () => {
  const { user, kept, client } = await open('elsewhere')
  const savedElsewhere = async (amountThen: string): Promise<void> => {
    kept.rules = { ...kept.rules, set: { ...set, maxLoss: { amount: amountThen, trail: 'static', locksAt: null } } }
    await act(() => client.invalidateQueries({ queryKey: standingsQuery.queryKey }))
    await waitFor(() => { expect(screen.getByLabelText('Read').textContent).toBe(amountThen) })
  }
  await amount()
  await savedElsewhere('1800')
  await screen.findByDisplayValue('1800')
  await user.type(await amount(), '.25')
  await savedElsewhere('1700')
  expect(valueOf(await amount())).toBe('1800.25')
  await user.click(press('Discard'))
  expect(valueOf(await amount())).toBe('1700')
})

test('rules are begun from nothing or from a preset, and a preset that is changed says so', async () => {
  const { user, saved } = await open('bare', null)
  await user.click(await screen.findByRole('button', { name: 'Write custom rules' }))
  await user.click(press('Save rules'))
  await screen.findByText('Correct 1 field.')
  expect(document.activeElement).toBe(screen.getByLabelText('Starting balance (USD)'))
  await user.click(press('Discard'))
  expect(screen.queryByRole('form', { name: 'Rules' })).toBeNull()
  await user.click(press('Use these rules'))
  expect([valueOf(screen.getByLabelText('Product 2')), screen.queryByText('Edited')]).toEqual(['ES', null])
  await user.type(ofRule('Profit target').getByLabelText('Profit'), '1')
  expect(screen.queryByText('Edited')).not.toBeNull()
  await user.clear(ofRule('Profit target').getByLabelText('Profit'))
  await user.type(ofRule('Profit target').getByLabelText('Profit'), '2500')
  await user.click(press('Save rules'))
  await screen.findByText('Rules saved.')
  expect(saved()).toEqual([{ account: 'bare', presetId: 'core', since: null, set: { ...preset.set, profitTarget: '2500' } }])
})

test.each(['tried', 'saved'] as const)('what is typed while the rules are %s stays, and is not saved', async (step) => {
  const { user, kept, saved } = await open(step)
  await user.type(await amount(), '.25')
  const answer = Promise.withResolvers<null>()
  kept[step] = answer.promise
  await user.click(press('Save rules'))
  if (step === 'saved') await waitFor(() => { expect(saved()).toHaveLength(1) })
  await user.type(await amount(), '5')
  await user.click(press('Remove product 1'))
  answer.resolve(null)
  await waitFor(() => { expect(screen.getByLabelText('Read').textContent).toBe('2000.25') })
  expect([valueOf(await amount()), valueOf(screen.getByLabelText('Product 1')), screen.getAllByText('Not saved').length, press('Save rules').disabled]).toEqual(['2000.255', 'ES', 2, false])
  await user.click(press('Discard'))
  expect([valueOf(await amount()), valueOf(screen.getByLabelText('Product 1'))]).toEqual(['2000.25', 'NQ'])
})

test('what is typed before the question about a breach stays when it is answered', async () => {
  const { user, kept } = await open('question')
  await user.type(await amount(), '.25')
  const answer = Promise.withResolvers<null>()
  Object.assign(kept, { tried: answer.promise, standing: { ...standing, stage: 'breached' } })
  await user.click(press('Save rules'))
  await user.type(await amount(), '5')
  answer.resolve(null)
  const question = within(await screen.findByRole('dialog', { name: 'ONE has breached these rules' }))
  await user.click(question.getByRole('button', { name: 'Save rules' }))
  await waitFor(() => { expect(screen.getByLabelText('Read').textContent).toBe('2000.25') })
  expect([valueOf(await amount()), press('Save rules').disabled]).toEqual(['2000.255', false])
  await user.click(press('Discard'))
})

test('a refused save says why where something was typed meanwhile too', async () => {
  const { user, kept, saved } = await open('refused')
  await user.type(await amount(), '.25')
  const answer = Promise.withResolvers<null>()
  Object.assign(kept, { saved: answer.promise, refuses: true })
  await user.click(press('Save rules'))
  await waitFor(() => { expect(saved()).toHaveLength(1) })
  await user.type(await amount(), '5')
  answer.resolve(null)
  expect((await screen.findByRole('alert')).textContent).toContain('A field in this form is not valid.')
  await user.type(await amount(), '0')
  expect([screen.queryAllByRole('alert'), valueOf(await amount())]).toEqual([[], '2000.2550'])
  await user.click(press('Discard'))
})
