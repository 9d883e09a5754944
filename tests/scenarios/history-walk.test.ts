import { test } from 'vitest'
import { walkHistories } from './history-walk.ts'

test('whatever an operator does to the cloud and whoever speaks then, all computers come to hold what anybody held, less what was removed', { timeout: 300_000 }, () => walkHistories(10))
