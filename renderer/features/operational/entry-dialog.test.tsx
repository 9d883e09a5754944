import { recordRoutes } from '#shared/api/journal.ts'
import type { Finance } from '#shared/api/records.ts'
import { draw, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { fireEvent, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EntryDialog, type EntryToOpen } from './entry-dialog.tsx'
import { newEntry } from './entry-fields.ts'

const path = recordRoutes.addFinance.path
const account: Finance = { id: 'tradovate:demo:1', userId: 'u', type: 'Funded Account', amount: 0, date: '2026-01-01', name: 'PA-101', balance: 1, currency: 'EUR', platform: 'Tradovate', firm: 'Tradeify', category: 'other', account: null, note: '' }
const entry = { ...account, id: 'e', type: 'expense' as const, category: 'reset' as const, amount: 80.1, currency: 'USD', firm: null, name: 'Reset', note: 'the Friday' }

/** What the journal has of the entry by now. */
const kept: { entry: Finance } = { entry }

const open = async (asked: EntryToOpen, answer: () => Answer | Promise<Answer> = () => ({ json: { success: true, finance: entry } })) => {
  const onClose = vi.fn()
  const drawn = await draw(<EntryDialog asked={asked} accounts={[account]} currencies={['USD', 'EUR']} onClose={onClose} />, { namespaces: ['operational'], session: somebody, answers: { [path]: answer, [`${recordRoutes.getFinances.path}?userId=u`]: () => ({ json: { success: true, finances: [kept.entry] } }) } })
  const { user, getByLabelText, getByRole } = drawn
  return {
    ...drawn,
    onClose,
    field: (name: string) => getByLabelText(name),
    retype: async (name: string, text: string) => {
      await user.clear(getByLabelText(name))
      if (text !== '') await user.type(getByLabelText(name), text)
    },
    choose: async (name: string, option: string) => {
      getByLabelText(name).focus()
      await user.keyboard('{Enter}')
      await user.click(getByRole('option', { name: option }))
    },
  }
}

test('problems show at their fields after the first attempt to save, and update at each change; nothing is sent before', async () => {
  const { user, field, retype, queryByText, getByText, getByRole, queryAllByRole, asked } = await open({ type: 'expense' })
  await retype('Date', '')
  expect(queryAllByRole('alert')).toEqual([])
  await user.click(getByRole('button', { name: 'Add expense' }))
  expect(getByText('Enter an amount.').id).toBe(field('Amount').getAttribute('aria-describedby'))
  expect(getByText('Choose a date between 1970 and 2099.').id).toBe(field('Date').getAttribute('aria-describedby'))
  expect([field('Amount'), field('Date')].map((one) => one.getAttribute('aria-invalid'))).toEqual(['true', 'true'])
  await retype('Amount', '149.505')
  expect(getByText('Enter at most two decimals.')).toBeDefined()
  await retype('Amount', '149.50')
  expect(field('Amount').getAttribute('aria-invalid')).toBeNull()
  expect(queryByText('Choose a date between 1970 and 2099.')).not.toBeNull()
  expect(asked).toEqual([])
})

test('an entry is saved once however often it is asked, and the dialog stays until the program has confirmed it', async () => {
  let confirm: (answer: Answer) => void = () => undefined
  const { user, retype, getByRole, onClose, asked } = await open({ entry }, () => new Promise<Answer>((resolve) => { confirm = resolve }))
  await retype('Amount', '81')
  const save = getByRole('button', { name: 'Save' }) as HTMLButtonElement
  await user.click(save)
  expect(save.disabled).toBe(true)
  if (save.form) fireEvent.submit(save.form)
  expect(onClose).not.toHaveBeenCalled()
  confirm({ json: { success: true, finance: entry } })
  await waitFor(() => { expect(onClose).toHaveBeenCalledOnce() })
  const saved = { type: 'expense', category: 'reset', amount: 81, currency: 'USD', date: '2026-01-01', account: null, firm: null, name: 'Reset', note: 'the Friday', balance: 0, platform: 'other' }
  expect(asked.filter((call) => call.path === path)).toEqual([{ path, body: { userId: 'u', finance: { id: 'e', ...saved } } }])
})

test('what the program refuses is said, and everything typed stays', async () => {
  const { user, field, retype, getByRole, onClose } = await open({ entry }, () => ({ status: 400, json: { success: false, error: 'The books are closed', code: 'invalid-request' } }))
  await retype('Description', 'Second try')
  await user.click(getByRole('button', { name: 'Save' }))
  await waitFor(() => { expect(getByRole('alert').textContent).toContain('The books are closed') })
  expect((field('Description') as HTMLInputElement).value).toBe('Second try')
  expect(onClose).not.toHaveBeenCalled()
})

test('an account brings its firm, and its currency as long as there is no amount', async () => {
  const { choose, field, retype } = await open({ entry })
  await choose('Account', 'PA-101')
  expect([field('Firm').textContent, field('Currency').textContent]).toEqual([expect.stringContaining('Tradeify'), 'USD'])
  await choose('Account', 'No account')
  await choose('Firm', 'No firm')
  await retype('Amount', '')
  await choose('Account', 'PA-101')
  expect([field('Firm').textContent, field('Currency').textContent]).toEqual([expect.stringContaining('Tradeify'), 'EUR'])
})

test('an entry that becomes an earning is for something that earns', async () => {
  const { user, field, choose, getByRole } = await open({ entry })
  await user.click(getByRole('radio', { name: 'Earning' }))
  expect(field('Category').textContent).toBe('Payout')
  await choose('Category', 'Other earning')
  await user.click(getByRole('radio', { name: 'Expense' }))
  expect(field('Category').textContent).toBe('Other expense')
})

test('Ctrl+Enter saves from any field, a select too', async () => {
  const { retype, field, onClose, asked } = await open({ type: 'earning' })
  await retype('Amount', '1,500.00')
  fireEvent.keyDown(field('Firm'), { key: 'Enter', ctrlKey: true })
  await waitFor(() => { expect(onClose).toHaveBeenCalledOnce() })
  expect(asked).toMatchObject([{ body: { finance: { type: 'earning', amount: 1500, firm: 'Tradeify' } } }])
})

test('what another window changed in other fields stays', async () => {
  const { user, retype, getByRole, onClose, asked } = await open({ entry })
  kept.entry = { ...entry, amount: 2750.5 }
  onTestFinished(() => { kept.entry = entry })
  await retype('Note', 'a late note')
  await user.click(getByRole('button', { name: 'Save' }))
  await waitFor(() => { expect(onClose).toHaveBeenCalledOnce() })
  expect(asked.at(-1)).toMatchObject({ path, body: { finance: { amount: 2750.5, note: 'a late note' } } })
})

test('what another window changed in the same field is not overwritten', async () => {
  const { user, retype, getByRole, findByText, asked } = await open({ entry })
  kept.entry = { ...entry, amount: 2750.5 }
  onTestFinished(() => { kept.entry = entry })
  await retype('Amount', '90')
  await user.click(getByRole('button', { name: 'Save' }))
  await findByText(/was changed in another window in the same field/)
  expect(asked.filter((call) => call.path === path)).toEqual([])
})

test('what was typed outlives Escape and not Cancel', async () => {
  const { user, retype, getByRole, onClose } = await open({ type: 'expense' })
  await retype('Amount', '147')
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenLastCalledWith(expect.objectContaining({ amount: '147', type: 'expense' }))
  await user.click(getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenLastCalledWith(null)
})

test('an entry that was left before opens as it was left', async () => {
  const left = vi.fn()
  const { getByLabelText, user } = await draw(<EntryDialog asked={{ type: 'expense' }} accounts={[account]} currencies={['USD']} left={{ ...newEntry('expense', '2026-11-28'), amount: '147' }} onClose={left} />, { namespaces: ['operational'], session: somebody })
  await waitFor(() => { expect((getByLabelText('Amount') as HTMLInputElement).value).toBe('147') })
  await user.keyboard('{Escape}')
  expect(left).toHaveBeenLastCalledWith(expect.objectContaining({ amount: '147' }))
})
