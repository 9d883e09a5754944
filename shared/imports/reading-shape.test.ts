import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { Reading } from './reading.ts'
import type { readingShape } from './reading-shape.ts'

/** What is known of a reading only once files are put together: it is never stored. */
type OfAssembly = 'file' | 'ofFile' | 'feeFrom' | 'mirrored' | 'accountAssumed'

type KeysOf<R extends { readonly says: string }> = { readonly [Says in R['says']]: Exclude<keyof Extract<R, { readonly says: Says }>, OfAssembly> }

test('the shape of a stored reading has all of its keys, and no others: a file with an unknown one counts as damaged', () => {
  expectTypeOf<KeysOf<z.infer<typeof readingShape>>>().toEqualTypeOf<KeysOf<Reading>>()
})
