import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { ruleRoutes, type AccountRules } from '#shared/api/rules.ts'
import { noRules } from '#shared/rules/terms.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { OddsPanel } from './odds-panel.tsx'

const rules: AccountRules = { account: 'one', stage: 'evaluation', stageByHand: false, set: { ...noRules('USD'), startingBalance: '50000' }, presetId: null, since: null, resetDay: null }

test('wrong runs and seeds show once the simulation is run, each until it is corrected, and what is read is asked', async () => {
  const { user, asked } = await draw(<FormatContext value={createFormat('en', 'UTC')}><OddsPanel row={{ rules, standing: null, name: 'ONE' }} onSet={() => undefined} /></FormatContext>, {
    namespaces: ['rules', 'ui'],
    session: somebody,
    answers: { [ruleRoutes.rulePresets.path]: () => ({ json: { presets: [] } }), [ruleRoutes.odds.path]: () => ({ json: { odds: null, missing: 'target' } }) },
  })
  const enter = (label: string, value: string): void => { fireEvent.change(screen.getByLabelText(label), { target: { value } }) }
  const alerts = (): (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  enter('Runs', '50')
  enter('Seed', 'x')
  expect(alerts()).toEqual([])
  const run = screen.getByRole('button', { name: 'Run simulation' })
  run.focus()
  await user.click(run)
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter a whole number from 100 to 100,000.', 'Enter a whole number from 0 to 4,294,967,295.']) })
  expect([document.activeElement, asked.some(({ path }) => path === ruleRoutes.odds.path)]).toEqual([run, false])
  enter('Runs', '10,000')
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter a whole number from 0 to 4,294,967,295.']) })
  enter('Seed', ' 7')
  await vi.waitFor(() => { expect(alerts()).toEqual([]) })
  enter('Runs', '')
  await vi.waitFor(() => { expect(alerts()).toEqual(['Enter a whole number from 100 to 100,000.']) })
  enter('Runs', '500')
  await user.type(screen.getByLabelText('Seed'), '{Enter}')
  expect(await screen.findByText(/^These rules have no profit target/)).toBeTruthy()
  expect(asked.filter(({ path }) => path === ruleRoutes.odds.path).map(({ body }) => body)).toEqual([{ account: 'one', rules: { own: true }, since: null, runs: 500, seed: 7 }])
})
