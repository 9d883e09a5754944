import { expect, test } from 'vitest'
import { mirrorRecord } from './record.ts'

const named = (id: string) => mirrorRecord.safeParse({ entity: 'contract', id, content: { contract: 'ESH6' } }).success

test('a record has a name that every database keeps as it is', () => {
  expect(['demo/1', '名'.repeat(620), '🦊'].map(named)).toEqual([true, true, true])
  expect(['', 'a'.repeat(621), 'demo/\0', 'demo/\ud83e', '\udd8a'].map(named)).toEqual([false, false, false, false, false])
})
