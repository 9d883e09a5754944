import { z } from 'zod'
import { empty, json, text, type Answer, type Call } from './answers.ts'
import type { DemoBroker } from './broker-types.ts'
import { accountName, handOrderSchema } from './floor-hand.ts'

const priceSchema = z.strictObject({ contract: z.string(), price: z.number() })
const modifySchema = z.strictObject({ orderId: z.int(), qty: z.int().positive().optional(), price: z.number().optional(), stopPrice: z.number().optional() })
const cancelSchema = z.strictObject({ orderId: z.int() })
const bustSchema = z.strictObject({ fillId: z.int() })
const accountSchema = z.strictObject({ account: accountName, restricted: z.boolean().optional(), closed: z.boolean().optional(), limits: z.strictObject({ dailyLoss: z.int().nullable(), trailing: z.int().nullable() }).optional() })

/**
 * The controls of the floor; null for a path that is none of them. `POST /_demo/price { contract, price }`, `POST /_demo/order` (by hand:
 * `{ account, action, symbol, qty, type, price, stopPrice }`), `POST /_demo/modify` and `POST /_demo/cancel { orderId }` (by hand too), `POST /_demo/step`, `POST /_demo/release`, `POST /_demo/bust { fillId }`,
 * `POST /_demo/account { account, restricted, closed, limits: { dailyLoss, trailing } }` (1/10,000); `GET /_demo/floor` tells what every account holds and all live orders.
 */
export const answerFloor = ({ floor, hand }: Pick<DemoBroker, 'floor' | 'hand'>, call: Call): Answer | null => {
  const read = <S extends z.ZodType>(schema: S, act: (body: z.output<S>) => Answer): Answer => {
    const body = schema.safeParse(call.json)
    return body.success ? act(body.data) : text(400, z.prettifyError(body.error))
  }
  switch (`${call.method} ${call.path}`) {
    case 'POST /_demo/price':
      return read(priceSchema, ({ contract, price }) => (hand.setPrice(contract, price) ? empty(204) : text(400, 'No such contract, or a price between two ticks')))
    case 'POST /_demo/order':
      return read(handOrderSchema, (order) => json(hand.place(order)))
    case 'POST /_demo/modify':
      return read(modifySchema, ({ orderId, ...to }) => json(hand.modify(orderId, to)))
    case 'POST /_demo/cancel':
      return read(cancelSchema, ({ orderId }) => json(hand.cancel(orderId)))
    case 'POST /_demo/step':
      floor.step()
      return empty(204)
    case 'POST /_demo/release':
      floor.release()
      return empty(204)
    case 'POST /_demo/bust':
      return read(bustSchema, ({ fillId }) => empty(floor.bust(fillId) ? 204 : 404))
    case 'POST /_demo/account':
      return read(accountSchema, ({ account, ...how }) => empty(hand.setAccount(account, how) ? 204 : 404))
    case 'GET /_demo/floor':
      return json(floor.state())
    default:
      return null
  }
}
