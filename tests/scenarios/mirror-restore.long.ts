/** @module-tag long */

import { casesOf } from '#tests/helpers/cases.ts'
import { testRestore } from './restore-walk.ts'

// Each trade waits for the disk while the journal is made.
testRestore(casesOf({ nightly: 100_000, long: 20_000, inCi: 5_000 }))
