import { z } from 'zod'
import { empty, json, text, type Answer, type Call } from './answers.ts'
import type { Quotes } from './quotes-desk.ts'

const which = { login: z.string().optional() }
const orderSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['drop', 'silence', 'deny', 'allow']), ...which }),
  z.strictObject({ do: z.literal('flow'), perSecond: z.number().min(0).max(100_000), of: z.enum(['held', 'told']).optional() }),
])

/**
 * `GET /_demo/quotes` tells which sockets of prices stand open and how often prices moved by themselves, `POST` acts on them: `{ do: 'drop' |
 * 'silence' | 'deny' | 'allow', login? }`, `{ do: 'flow', perSecond, of? }`; the answer tells the same afterwards.
 */
export const answerQuotes = (quotes: Quotes, call: Call): Answer => {
  const state = (): Answer => json({ sockets: quotes.open(), moved: quotes.moved() })
  if (call.method === 'GET') return state()
  if (call.method !== 'POST') return empty(404)
  const order = orderSchema.safeParse(call.json)
  if (!order.success) return text(400, z.prettifyError(order.error))
  const { data } = order
  switch (data.do) {
    case 'flow':
      quotes.flow(data.perSecond, data.of)
      break
    case 'deny':
    case 'allow':
      quotes.permit(data.do === 'allow', data)
      break
    default:
      quotes[data.do](data)
  }
  return state()
}
