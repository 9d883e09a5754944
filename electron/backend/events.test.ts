import { expect, test } from 'vitest'
import { createEvents } from './events.ts'

test('a watcher hears whether a change was made here or came from the cloud, where it need not be sent again', () => {
  const events = createEvents()
  const heard: unknown[] = []
  events.watch((userId, { type }, from) => heard.push([userId, type, from]))
  events.push('ann', { type: 'journal-changed' })
  events.push('ann', { type: 'journal-changed' }, 'cloud')
  expect(heard).toEqual([['ann', 'journal-changed', 'here'], ['ann', 'journal-changed', 'cloud']])
})
