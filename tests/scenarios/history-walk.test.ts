import { test } from 'vitest'
import { walkHistories } from './history-walks.ts'

test('whatever users, lines, kills and an operator do, all computers end with every entry that was not removed or overwritten, and none claims so before', { timeout: 300_000 }, () => walkHistories(1))
