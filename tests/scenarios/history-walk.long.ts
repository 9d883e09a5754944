/** @module-tag long */

import { test } from 'vitest'
import { casesOf } from '../helpers/cases.ts'
import { walkHistories } from './history-walks.ts'

const walks = casesOf({ nightly: 2_000, long: 200, inCi: 3 })

test(`${String(walks)} walks of several computers, their lines and an operator each end in one history`, { timeout: 20_000 * walks }, () => walkHistories(walks))
