import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { draw, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DatabaseForm } from './database-form.tsx'

const file = 'C:\\Documents\\NinjaTrader 8\\db\\NinjaTrader.sqlite'
const accounts = [
  { name: 'APEX-1', simulated: false, elsewhere: false, executions: 12, lastAt: '2026-11-27T15:00:00.000Z' },
  { name: 'APEX-0', simulated: false, elsewhere: false, executions: 0, lastAt: null },
  { name: 'Sim101', simulated: true, elsewhere: false, executions: 3, lastAt: '2026-11-26T15:00:00.000Z' },
  { name: 'TRADO-7', simulated: false, elsewhere: true, executions: 9, lastAt: '2026-11-25T15:00:00.000Z' },
]
const missing: Answer = { status: 404, json: { success: false, error: 'database-missing', code: 'database-missing' } }

const open = async (look: readonly Answer[], connect: () => Answer = () => ({ json: { success: true } })) => {
  const left: string[] = []
  const answers = [...look]
  const drawn = await draw(<FormatContext value={createFormat('en', 'UTC')}><DatabaseForm onConnected={() => { left.push('connected') }} /></FormatContext>, {
    namespaces: ['auto-sync', 'problems'], session: somebody,
    answers: { [brokerageRoutes.databaseAccounts.path]: () => answers.shift() ?? missing, [brokerageRoutes.connectDatabase.path]: connect },
  })
  return { ...drawn, left }
}

test('the database at its usual place offers its accounts: those that traded for real are ticked', async () => {
  const { user, findByRole, getByRole, getByLabelText, asked, left } = await open([{ json: { path: file, accounts } }])
  expect((await findByRole('checkbox', { name: /^APEX-1/ })).getAttribute('aria-checked')).toBe('true')
  expect(getByRole('checkbox', { name: /^APEX-0/ }).getAttribute('aria-checked')).toBe('false')
  expect((getByLabelText('Path of NinjaTrader’s database') as HTMLInputElement).value).toBe(file)
  expect((getByRole('checkbox', { name: /^TRADO-7.*connected by another login already/ }) as HTMLButtonElement).disabled).toBe(true)
  await user.click(getByRole('checkbox', { name: /^Sim101.*simulated by NinjaTrader/ }))
  await user.click(getByRole('button', { name: 'Connect accounts' }))
  await waitFor(() => { expect(left).toEqual(['connected']) })
  expect(asked.map(({ body }) => body)).toEqual([{}, { path: file, accounts: ['APEX-1', 'Sim101'] }])
})

test('without a found database the user types a path; its problem shows only after that', async () => {
  const { user, findByRole, queryByRole, getByRole, getByLabelText, asked } = await open([missing, missing, { json: { path: file, accounts: accounts.slice(2, 3) } }])
  await waitFor(() => { expect(asked).toHaveLength(1) })
  expect(queryByRole('alert')).toBeNull()
  const path = getByLabelText('Path of NinjaTrader’s database')
  await user.type(path, 'C:\\elsewhere')
  await user.click(getByRole('button', { name: 'Find accounts' }))
  expect((await findByRole('alert')).textContent).toContain('There is no NinjaTrader database at this path')
  await user.clear(path)
  await user.type(path, ` ${file}`)
  await user.click(getByRole('button', { name: 'Find accounts' }))
  await findByRole('checkbox', { name: /^Sim101/ })
  expect((getByRole('button', { name: 'Connect accounts' }) as HTMLButtonElement).disabled).toBe(true)
})
