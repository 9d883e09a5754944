import type { ModelSettings, Narrative } from '#shared/api/reports.ts'
import { parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'

/** The cost of an answer at the user's prices per million tokens, cut after ten decimals; null if tokens or prices are unknown. */
export const costOf = (tokens: Narrative['tokens'], prices: ModelSettings['prices']): Narrative['cost'] => {
  const [input, output] = prices === null ? [null, null] : [parseDecimal(prices.input), parseDecimal(prices.output)]
  if (tokens === null || prices === null || input === null || output === null) return null
  const places = Math.max(input.scale, output.scale)
  const millionths = BigInt(tokens.input) * input.digits * tenTo(places - input.scale) + BigInt(tokens.output) * output.digits * tenTo(places - output.scale)
  const exact = writeDecimal(millionths, places + 6)
  const [whole = '0', part = ''] = exact.split('.')
  const kept = part.slice(0, 10).replace(/0+$/, '').padEnd(2, '0')
  return { amount: `${whole}.${kept}`, currency: prices.currency }
}
