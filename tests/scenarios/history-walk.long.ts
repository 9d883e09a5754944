import { test } from 'vitest'
import { casesOf } from '../helpers/cases.ts'
import { walkHistories } from './history-walks.ts'

const walks = process.env['NIGHTLY'] === undefined ? casesOf({ all: 200, inCi: 50 }) : 2_000

test(`${String(walks)} walks of several computers, their lines and an operator come to one history each`, { timeout: 20_000 * walks }, () => walkHistories(walks))
