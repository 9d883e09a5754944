import { test } from 'vitest'
import { walkHistories } from './history-walks.ts'

test('whatever users, lines, kills and an operator do, all computers come to hold what anybody said, less what was removed or overwritten, and none says so before', { timeout: 300_000 }, () => walkHistories(1))
