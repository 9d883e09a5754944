import { empty, json, text, type Answer } from './answers.ts'
import type { Floor, Trader } from './floor.ts'
import { orderBodies } from './floor-requests.ts'

type OrderCall = (floor: Floor, by: Trader, body: unknown) => object | null

/** The calls on orders; each answers with what the floor says, or null where the body cannot be read. */
const orderCalls: Readonly<Record<keyof typeof orderBodies, OrderCall>> = {
  placeorder: (floor, by, body) => read(orderBodies.placeorder.safeParse(body), (order) => floor.place(by, order)),
  placeoco: (floor, by, body) => read(orderBodies.placeoco.safeParse(body), (order) => floor.oco(by, order)),
  modifyorder: (floor, by, body) => read(orderBodies.modifyorder.safeParse(body), (change) => floor.modify(by, change)),
  cancelorder: (floor, by, body) => read(orderBodies.cancelorder.safeParse(body), (wish) => floor.cancel(by, wish)),
  liquidateposition: (floor, by, body) => read(orderBodies.liquidateposition.safeParse(body), (wish) => floor.liquidate(by, wish)),
}

const read = <T>(body: { readonly data?: T }, act: (body: T) => object): object | null => (body.data === undefined ? null : act(body.data))

const isOrderCall = (operation: string): operation is keyof typeof orderBodies => Object.hasOwn(orderBodies, operation)

/** Whether `order/<operation>` does something, and so is answered by `answerOrder`. */
export const changesOrders = (entity: string, operation: string): boolean => entity === 'order' && isOrderCall(operation)

/** Answers `order/<operation>` of a trader: HTTP 200 whether the floor takes it or not, 400 where the body cannot be read. */
export const answerOrder = (floor: Floor, by: Trader, operation: string, body: unknown): Answer => {
  if (!isOrderCall(operation)) return empty(404)
  const answer = orderCalls[operation](floor, by, body)
  return answer === null ? text(400, 'Incorrect JSON') : json(answer)
}
