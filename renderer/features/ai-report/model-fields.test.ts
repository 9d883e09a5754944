import { expect, test } from 'vitest'
import { costOf, modelFields, originOf, typedModel, type TypedModel } from './model-fields.ts'

const read = (more: Partial<TypedModel> = {}) => modelFields.parse({ ...typedModel(null), model: 'gpt-5-mini', ...more })
const wrongOf = (more: Partial<TypedModel>) => modelFields.safeParse({ ...typedModel(null), model: 'gpt-5-mini', ...more }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

test('a form is read as it is saved', () => {
  expect(read({ baseUrl: ' https://api.openai.com/v1/ ', key: ' sk-1 ', input: '0,25', output: ' 2', currency: 'usd' })).toEqual({
    baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini', key: 'sk-1', prices: { input: '0.25', output: '2', currency: 'USD' },
  })
})

test('an empty key says nothing of the one that is kept, unless it is to be forgotten; a new one comes before', () => {
  expect(read()).not.toHaveProperty('key')
  expect(read({ forgetsKey: true })).toHaveProperty('key', null)
  expect(read({ forgetsKey: true, key: 'sk-2' })).toHaveProperty('key', 'sk-2')
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
  expect(wrongOf({ baseUrl })).toEqual([`baseUrl ${problem}`])
})

test.each(['http://127.0.0.1:11434/v1', 'http://127.0.0.2:11434/v1', 'http://localhost:1234', 'http://[::1]:8080/v1', 'https://models.example.com'])('%s is taken', (baseUrl) => {
  expect(wrongOf({ baseUrl })).toEqual([])
})

test('prices are both there or neither, and a model has a name', () => {
  expect(wrongOf({ input: '1' })).toEqual(['output not-a-price'])
  expect(wrongOf({ input: '-1', output: '1e3', currency: '$' })).toEqual(['input not-a-price', 'output not-a-price', 'currency not-a-currency'])
  expect(wrongOf({ model: ' ' })).toEqual(['model missing'])
  expect(wrongOf({ currency: '$' })).toEqual([])
  expect(read().prices).toBeNull()
})

test('a key in the place of the model is refused, and one that no header can carry', () => {
  expect(wrongOf({ model: 'sk-proj-Abc123' })).toEqual(['model is-a-key'])
  for (const key of ['sk 1', 'sk-“1”', 'schlüssel']) expect(wrongOf({ key })).toEqual(['key not-a-key'])
  expect(wrongOf({ key: ' sk-1 ' })).toEqual([])
})

test('everything that is wrong is named at once', () => {
  expect(wrongOf({ baseUrl: 'http://api.example.com/v1', model: '', key: 'sk 1', input: 'cheap' })).toEqual(['baseUrl not-safe', 'model missing', 'key not-a-key', 'input not-a-price', 'output not-a-price'])
})

test('saved settings show again, without the key', () => {
  const kept = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.3', hasKey: true, prices: null }
  expect(typedModel(kept)).toMatchObject({ provider: 'ollama', model: 'llama3.3', key: '', input: '', currency: 'USD' })
  expect(typedModel({ ...kept, baseUrl: 'https://models.example.com/v1', prices: { input: '1', output: '2', currency: 'EUR' } })).toMatchObject({ provider: 'other', input: '1', output: '2', currency: 'EUR' })
  expect([originOf('https://api.openai.com/v1'), originOf('nowhere')]).toEqual(['https://api.openai.com', null])
})

test('a cost is never shown too low', () => {
  expect(costOf(4_000, '0.25')).toBe(0.001)
  expect(costOf(1, '0.25')).toBe(0.0001)
  expect(costOf(0, '10')).toBe(0)
})
