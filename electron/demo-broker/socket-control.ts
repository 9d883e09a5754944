import { z } from 'zod'
import { empty, json, text, type Answer, type Call } from './answers.ts'
import { shutdownReason } from './socket-faults.ts'
import type { Sockets } from './sockets.ts'

const which = { login: z.string().optional(), environment: z.enum(['live', 'demo']).optional() }
const orderSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['drop', 'silence', 'release']), ...which }),
  z.strictObject({ do: z.literal('shutdown'), reason: shutdownReason, ...which }),
  z.strictObject({ do: z.enum(['refuse', 'allow']) }),
  z.strictObject({
    do: z.literal('behave'), timeScale: z.number().positive().optional(), split: z.enum(['one', 'parts', 'props']).optional(),
    apartMs: z.int().nonnegative().optional(), emptyByDefault: z.boolean().optional(),
  }),
])

/**
 * `GET /_demo/socket` tells which sockets stand open, `POST` acts on them: `{ do: 'drop' | 'silence' | 'release' | 'shutdown', login?,
 * environment? }`, `{ do: 'refuse' | 'allow' }` new connections, `{ do: 'behave', ... }`; the answer tells which are open afterwards.
 */
export const answerSockets = (sockets: Sockets, call: Call): Answer => {
  if (call.method === 'GET') return json(sockets.open())
  if (call.method !== 'POST') return empty(404)
  const order = orderSchema.safeParse(call.json)
  if (!order.success) return text(400, z.prettifyError(order.error))
  obey(sockets, order.data)
  return json(sockets.open())
}

const obey = (sockets: Sockets, order: z.infer<typeof orderSchema>): void => {
  switch (order.do) {
    case 'refuse':
    case 'allow':
      return sockets.refuse(order.do === 'refuse')
    case 'shutdown':
      return sockets.shutdown(order.reason, order)
    case 'behave':
      return sockets.behave(Object.fromEntries(Object.entries(order).filter(([name, value]) => name !== 'do' && value !== undefined)))
    default:
      return sockets[order.do](order)
  }
}
