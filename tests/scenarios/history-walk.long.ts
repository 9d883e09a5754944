import { test } from 'vitest'
import { walkHistories } from './history-walk.ts'

const walks = process.env['NIGHTLY'] === undefined ? 200 : 2_000

test(`${String(walks)} walks of three computers and an operator come to one history each`, { timeout: 20_000 * walks }, () => walkHistories(walks))
