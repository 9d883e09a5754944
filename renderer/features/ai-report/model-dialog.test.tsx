import { reportRoutes, type ModelSettings } from '#shared/api/reports.ts'
import { draw, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { fireEvent, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ModelDialog } from './model-dialog.tsx'

const { saveModel, tryModel } = reportRoutes
const kept: ModelSettings = { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini', hasKey: true, prices: null }
const settings = { settings: { model: kept, schedule: { day: false, week: false, month: false, narrative: false }, nextAt: null } }
const works = { ok: true, failure: null, models: ['gpt-5-mini'] }

const open = async (model: ModelSettings | null, save: () => Answer | Promise<Answer> = () => ({ json: settings })) => {
  const onClose = vi.fn()
  const drawn = await draw(<ModelDialog kept={model} onClose={onClose} />, { namespaces: ['ai-report'], session: somebody, answers: { [saveModel.path]: save, [tryModel.path]: () => ({ json: works }) } })
  const { user, getByLabelText, getByRole, asked } = drawn
  const field = (name: string) => getByLabelText(name, { selector: 'input, button' }) as HTMLInputElement
  return {
    ...drawn,
    onClose,
    field,
    error: (name: string) => (field(name).getAttribute('aria-invalid') === 'true' ? document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent : null),
    retype: async (name: string, text: string) => {
      await user.clear(field(name))
      if (text !== '') await user.type(field(name), text)
    },
    press: (name: string) => user.click(getByRole('button', { name })),
    saved: () => asked.filter(({ path }) => path === saveModel.path).map(({ body }) => body),
  }
}

test('each field shows its problem after the first attempt to save, and nothing is sent', async () => {
  const { field, retype, error, press, asked } = await open(null)
  await retype('Base URL', 'http://api.example.com/v1')
  await retype('Key', 'sk 1')
  await retype('Input', 'cheap')
  expect(error('Base URL')).toBeNull()
  await press('Save')
  expect([error('Base URL'), error('Model'), error('Key'), error('Input'), error('Output')]).toEqual([
    'Use https. Only an endpoint on this computer may use http.', 'Enter a model name.', 'A key has no spaces, and only English letters and signs.', 'Enter a price like 0.25.', 'Enter a price like 0.25.',
  ])
  await retype('Model', 'sk-proj-Abc123')
  expect(error('Model')).toBe('This looks like a key. Enter it in the key field, and a model name here.')
  expect(field('Provider').textContent).toBe('Other')
  expect(asked).toEqual([])
})

test('prices are validated together, and choosing a provider fills in its address and clears its error', async () => {
  const { user, field, retype, error, press, getByRole } = await open(null)
  await retype('Base URL', 'nowhere')
  await retype('Input', '1')
  await press('Save')
  expect([error('Output'), error('Base URL')]).toEqual(['Enter a price like 0.25.', 'Enter an address like https://api.openai.com/v1.'])
  await retype('Currency', '$')
  expect(error('Currency')).toBe('Enter three letters, like USD.')
  await retype('Input', '')
  expect([error('Output'), error('Currency')]).toEqual([null, null])
  field('Provider').focus()
  await user.keyboard('{Enter}')
  await user.click(getByRole('option', { name: 'Ollama on this computer' }))
  expect([field('Base URL').value, error('Base URL')]).toEqual(['http://127.0.0.1:11434/v1', null])
})

test('a key that is to be removed cannot be typed, and its error goes', async () => {
  const { field, retype, error, press, user, getByRole, saved } = await open(kept)
  await retype('Key', 'sk 1')
  await press('Save')
  expect(error('Key')).not.toBeNull()
  await user.click(getByRole('checkbox', { name: 'Remove key' }))
  expect([field('Key').disabled, field('Key').value, error('Key')]).toEqual([true, '', null])
  await press('Save')
  await waitFor(() => { expect(saved()).toEqual([{ model: { baseUrl: kept.baseUrl, model: kept.model, prices: null, key: null } }]) })
})

test('saving and testing shows the outcome, which goes with the next change; what was typed as a key goes with saving', async () => {
  const { field, retype, press, findByText, queryByText, user, getByRole, onClose } = await open(kept)
  await retype('Key', 'sk-2')
  await press('Save and test')
  await findByText('gpt-5-mini answered.', { exact: false })
  expect([field('Key').value, onClose.mock.calls]).toEqual(['', []])
  await user.type(field('Model'), '5')
  expect(queryByText('answered.', { exact: false })).toBeNull()
  // The box is cleared by saving itself, which leaves the outcome alone.
  await user.click(getByRole('checkbox', { name: 'Remove key' }))
  await press('Save and test')
  await findByText('gpt-5-mini5 answered.', { exact: false })
  expect(getByRole('checkbox', { name: 'Remove key' }).getAttribute('aria-checked')).toBe('false')
})

test('nothing is sent twice while saving, and what the program refuses is said with everything typed still there', async () => {
  let answer: (given: Answer) => void = () => undefined
  const { field, retype, press, findByRole, getByRole, onClose, saved } = await open(kept, () => new Promise<Answer>((resolve) => { answer = resolve }))
  await retype('Model', 'another')
  await press('Save')
  const save = getByRole('button', { name: 'Save' }) as HTMLButtonElement
  expect([save.disabled, (getByRole('button', { name: 'Save and test' }) as HTMLButtonElement).disabled]).toEqual([true, true])
  if (save.form) fireEvent.submit(save.form)
  answer({ status: 409, json: { success: false, error: 'no', code: 'invalid-request' } })
  expect((await findByRole('alert')).textContent).not.toBe('')
  expect([field('Model').value, save.disabled, saved().length]).toEqual(['another', false, 1])
  expect(onClose).not.toHaveBeenCalled()
})
