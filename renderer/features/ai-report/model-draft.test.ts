import { expect, test } from 'vitest'
import { costOf, modelDraftOf, originOf, readModel, withProvider, type ModelDraft } from './model-draft.ts'

const draft = (more: Partial<ModelDraft> = {}): ModelDraft => ({ ...modelDraftOf(null), model: 'gpt-5-mini', ...more })

test('a draft is read as it is saved', () => {
  expect(readModel(draft({ baseUrl: ' https://api.openai.com/v1/ ', key: ' sk-1 ', input: '0.25', output: '2', currency: 'usd' }))).toEqual({
    model: { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini', key: 'sk-1', prices: { input: '0.25', output: '2', currency: 'USD' } },
    problems: {},
  })
})

test('an empty key says nothing of the one that is kept, unless it is to be forgotten; a new one comes before', () => {
  expect(readModel(draft()).model).not.toHaveProperty('key')
  expect(readModel(draft({ forgetsKey: true })).model).toHaveProperty('key', null)
  expect(readModel(draft({ forgetsKey: true, key: 'sk-2' })).model).toHaveProperty('key', 'sk-2')
})

test.each([
  ['', 'not-a-url'],
  ['api.openai.com/v1', 'not-a-url'],
  ['ftp://127.0.0.1/v1', 'not-a-url'],
  ['http://api.openai.com/v1', 'not-safe'],
  ['http://127.0.0.1.example.com/v1', 'not-safe'],
  ['https://me:secret@api.example.com/v1', 'too-much'],
  ['https://api.example.com/v1?key=1', 'too-much'],
])('%s is refused as %s', (baseUrl, problem) => {
  expect(readModel(draft({ baseUrl }))).toEqual({ model: null, problems: { baseUrl: problem } })
})

test.each(['http://127.0.0.1:11434/v1', 'http://127.0.0.2:11434/v1', 'http://localhost:1234', 'http://[::1]:8080/v1', 'https://models.example.com'])('%s is taken', (baseUrl) => {
  expect(readModel(draft({ baseUrl })).problems).toEqual({})
})

test('prices are both there or neither, and a model has a name', () => {
  expect(readModel(draft({ input: '1' })).problems).toEqual({ output: 'not-a-price' })
  expect(readModel(draft({ input: '-1', output: '1e3', currency: '$' })).problems).toEqual({ input: 'not-a-price', output: 'not-a-price', currency: 'not-a-currency' })
  expect(readModel(draft({ model: ' ' })).problems).toEqual({ model: 'missing' })
  expect(readModel(draft()).model?.prices).toBeNull()
})

test('a key in the place of the model is refused, and one that no header can carry', () => {
  expect(readModel(draft({ model: 'sk-proj-Abc123' }))).toEqual({ model: null, problems: { model: 'is-a-key' } })
  for (const key of ['sk 1', 'sk-“1”', 'schlüssel']) expect(readModel(draft({ key }))).toEqual({ model: null, problems: { key: 'not-a-key' } })
  expect(readModel(draft({ key: ' sk-1 ' })).problems).toEqual({})
})

test('what is kept is shown again, without its key, and another provider brings its address', () => {
  const kept = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.3', hasKey: true, prices: null }
  expect(modelDraftOf(kept)).toMatchObject({ provider: 'ollama', model: 'llama3.3', key: '' })
  expect(modelDraftOf({ ...kept, baseUrl: 'https://models.example.com/v1' }).provider).toBe('other')
  expect(withProvider(draft(), 'ollama').baseUrl).toBe('http://127.0.0.1:11434/v1')
  expect([originOf('https://api.openai.com/v1'), originOf('nowhere')]).toEqual(['https://api.openai.com', null])
})

test('a cost is never told too low', () => {
  expect(costOf(4_000, '0.25')).toBe(0.001)
  expect(costOf(1, '0.25')).toBe(0.0001)
  expect(costOf(0, '10')).toBe(0)
})
