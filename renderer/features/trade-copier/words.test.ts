import { groupFault, lockReason, waitReason } from '#shared/api/copier.ts'
import english from '#renderer/i18n/locales/en/trade-copier.json' with { type: 'json' }
import malayalam from '#renderer/i18n/locales/ml-IND/trade-copier.json' with { type: 'json' }
import { expect, test } from 'vitest'

const keys = (value: unknown, path = ''): string[] => (typeof value === 'string' ? [path] : Object.entries(value as object).flatMap(([key, inner]) => keys(inner, `${path}.${key}`)))

test.each([['en', english], ['ml-IND', malayalam]] as const)('every reason has its words in %s', (_, words) => {
  expect(waitReason.options.filter((reason) => !(reason in words.why) || !(reason in words['why-brief']))).toEqual([])
  expect(lockReason.options.filter((reason) => !(reason in words.lock) || !(reason in words['lock-brief']))).toEqual([])
  expect(groupFault.shape.code.options.filter((code) => !(code in words.fault))).toEqual([])
})

test('the whole screen is translated', () => {
  expect(keys(malayalam)).toEqual(keys(english))
})
