import { parseAmount } from '#shared/money/money.ts'

/** A rate as typed: `given` is what is sent, null resets it. */
export type ReadRate = { readonly given: string | null; readonly problem: null } | { readonly given: null; readonly problem: 'not-a-number' | 'too-precise' | 'too-large' }

const largest = 1_000_000_000

/** Parses the commission per side: empty, or an exact decimal from 0 with at most four places. */
export const readRate = (typed: string): ReadRate => {
  const text = typed.trim()
  if (text === '') return { given: null, problem: null }
  // Many users type `.5`.
  const given = text.startsWith('.') ? `0${text}` : text
  const amount = parseAmount(given)
  if (!/^\d+(\.\d+)?$/.test(given)) return { given: null, problem: 'not-a-number' }
  if (!amount.ok) return { given: null, problem: amount.error }
  return amount.value > largest ? { given: null, problem: 'too-large' } : { given, problem: null }
}
