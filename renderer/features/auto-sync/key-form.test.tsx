import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { draw, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { KeyForm } from './key-form.tsx'

const open = async (answer: () => Answer) => {
  const left: string[] = []
  const drawn = await draw(<KeyForm onConnected={() => { left.push('connected') }} />, { namespaces: ['auto-sync', 'problems'], session: somebody, answers: { [brokerageRoutes.connectKey.path]: answer } })
  const connect = () => drawn.getByRole('button', { name: 'Connect TopstepX' }) as HTMLButtonElement
  return { ...drawn, left, connect }
}

test('a user name and a key connect, without the blanks that were copied with them', async () => {
  const { user, getByLabelText, connect, asked, left } = await open(() => ({ json: { success: true } }))
  expect(connect().disabled).toBe(true)
  await user.type(getByLabelText('TopstepX user name'), ' trader.one ')
  expect(connect().disabled).toBe(true)
  await user.type(getByLabelText('API key'), 'abc123 ')
  expect((getByLabelText('API key') as HTMLInputElement).type).toBe('password')
  await user.click(connect())
  await waitFor(() => { expect(left).toEqual(['connected']) })
  expect(asked.map(({ body }) => body)).toEqual([{ firm: 'topstepx', userName: 'trader.one', apiKey: 'abc123' }])
})

test('a key that the broker refuses says so, and what was typed stays', async () => {
  const { user, getByLabelText, connect, findByRole, left } = await open(() => ({ status: 409, json: { success: false, error: 'key-refused', code: 'key-refused' } }))
  await user.type(getByLabelText('TopstepX user name'), 'trader.one')
  await user.type(getByLabelText('API key'), 'wrong')
  await user.click(connect())
  expect((await findByRole('alert')).textContent).toContain('did not accept this user name and API key')
  expect((getByLabelText('API key') as HTMLInputElement).value).toBe('wrong')
  expect(left).toEqual([])
})
