import { setTimeout as pause } from 'node:timers/promises'
import type { FaultInput } from '#tests/demo-broker/faults.ts'
import type { Random } from '#demo-broker/random.ts'
import { inStep } from './model-rest.ts'
import { USER, type Band, type ModelWorld, type Seat } from './model-world.ts'
import { wirePrice, type SeenOrder, type Watch } from './model-watch.ts'

/** What a step may touch. */
export type Stage = { readonly world: ModelWorld; readonly watch: Watch; readonly random: Random }

/** Does one thing that chance picks, and says in a few words what it was. */
export type Step = (stage: Stage) => string | Promise<string>

const MOST = 6
const WORKING_MOST = 4

const oneOf = <T>(random: Random, items: readonly T[]): T => {
  const item = items[random.whole(0, items.length - 1)]
  if (item === undefined) throw new RangeError('Nothing to pick from')
  return item
}

const someLeader = ({ world, watch, random }: Stage) => {
  const band = oneOf(random, world.bands)
  const contract = oneOf(random, band.contracts)
  return { band, contract, net: watch.net(band.leader, contract), mark: world.mark(contract) }
}

const someFollower = ({ world, random }: Stage): { band: Band; seat: Seat } => {
  const band = oneOf(random, world.bands)
  return { band, seat: oneOf(random, band.followers).seat }
}

type Terms = { readonly type: 'Market' | 'Limit' | 'Stop'; readonly ticks?: number }

const priced = (contract: string, { type, ticks = 0 }: Terms) =>
  type === 'Market' ? {} : { [type === 'Stop' ? 'stopPrice' : 'price']: wirePrice(contract, ticks) }

const place = (world: ModelWorld, seat: Seat, contract: string, signed: number, terms: Terms = { type: 'Market' }): string => {
  const answer = world.floor.place(seat, {
    accountId: seat.id, accountSpec: seat.name, action: signed > 0 ? 'Buy' : 'Sell', symbol: contract, orderQty: Math.abs(signed), orderType: terms.type,
    timeInForce: 'Day', isAutomated: false, ...priced(contract, terms),
  })
  const refusal = 'orderId' in answer ? '' : ` ${answer.failureReason}`
  return `${signed > 0 ? '+' : ''}${signed} ${contract} ${terms.type}${terms.ticks === undefined ? '' : ` ${terms.ticks}`}${refusal}`
}

const trade: Step = (stage) => {
  const { band, contract, net } = someLeader(stage)
  const change = stage.random.whole(1, 4) * stage.random.pick([[1, 1], [-1, 1]])
  const signed = Math.abs(net + change) > MOST ? -change : change
  return `leader ${place(stage.world, band.leader, contract, signed)}`
}

const flip: Step = (stage) => {
  const { band, contract, net } = someLeader(stage)
  if (net === 0) return trade(stage)
  return `flip ${place(stage.world, band.leader, contract, -net - Math.sign(net) * stage.random.whole(1, 3))}`
}

const close: Step = (stage) => {
  const { band, contract, net } = someLeader(stage)
  return net === 0 ? trade(stage) : `close ${place(stage.world, band.leader, contract, -net)}`
}

const protect: Step = (stage) => {
  const { band, contract, net, mark } = someLeader(stage)
  const working = stage.watch.working(band.leader).filter((order) => order.contract === contract)
  if (net === 0 || working.length >= WORKING_MOST) return trade(stage)
  const type = stage.random.pick([['Stop', 2], ['Limit', 1]] as const)
  const away = stage.random.whole(4, 40) * (type === 'Stop' ? -Math.sign(net) : Math.sign(net))
  return `exit ${place(stage.world, band.leader, contract, -Math.sign(net) * stage.random.whole(1, Math.abs(net)), { type, ticks: mark + away })}`
}

const bracket: Step = (stage) => {
  const { band, contract, net, mark } = someLeader(stage)
  if (net !== 0) return protect(stage)
  const side = stage.random.pick([[1, 1], [-1, 1]])
  const away = stage.random.whole(8, 40)
  const leg = (type: 'Stop' | 'Limit', ticks: number) => ({ action: side > 0 ? 'Sell' as const : 'Buy' as const, orderType: type, timeInForce: 'Day' as const, ...priced(contract, { type, ticks }) })
  const answer = stage.world.floor.oso(band.leader, {
    accountId: band.leader.id, accountSpec: band.leader.name, action: side > 0 ? 'Buy' : 'Sell', symbol: contract, orderQty: stage.random.whole(1, 3), orderType: 'Market', timeInForce: 'Day',
    isAutomated: false, bracket1: leg('Stop', mark - side * away), bracket2: leg('Limit', mark + side * away),
  })
  return `bracket ${side > 0 ? 'long' : 'short'} ${contract} ${'orderId' in answer ? `±${away}` : answer.failureReason}`
}

const aLeadersOrder = (stage: Stage): { band: Band; order: SeenOrder } | null => {
  const band = oneOf(stage.random, stage.world.bands)
  const working = stage.watch.working(band.leader).filter(({ status, type }) => status === 'Working' && type !== 'Market')
  return working.length === 0 ? null : { band, order: oneOf(stage.random, working) }
}

const move: Step = (stage) => {
  const found = aLeadersOrder(stage)
  if (found === null) return protect(stage)
  const { band, order } = found
  const mark = stage.world.mark(order.contract)
  const above = (order.type === 'Limit') === (order.side < 0)
  const ticks = mark + stage.random.whole(3, 40) * (above ? 1 : -1)
  const type = order.type === 'Stop' ? 'Stop' : 'Limit'
  const answer = stage.world.floor.modify(band.leader, { orderId: order.id, orderQty: order.qty, orderType: type, isAutomated: false, ...priced(order.contract, { type, ticks }) })
  return `move ${order.id} ${type} ${order.contract} to ${ticks}${'commandId' in answer ? '' : ` ${answer.failureReason}`}`
}

const withdraw: Step = (stage) => {
  const found = aLeadersOrder(stage)
  if (found === null) return protect(stage)
  const answer = stage.world.floor.cancel(found.band.leader, { orderId: found.order.id, isAutomated: false })
  return `withdraw ${found.order.id}${'commandId' in answer ? '' : ` ${answer.failureReason}`}`
}

const price: Step = ({ world, random }) => {
  const contract = oneOf(random, oneOf(random, world.bands).contracts)
  const ticks = world.mark(contract) + random.whole(1, 25) * random.pick([[1, 1], [-1, 1]])
  world.setPrice(contract, ticks)
  return `${contract} at ${ticks}`
}

const flow: Step = ({ world }) => {
  world.floor.step()
  return 'one more piece of all that fills in pieces'
}

const letGo: Step = ({ world }) => {
  world.floor.release()
  world.broker.sockets.release()
  return 'release'
}

const hand: Step = (stage) => {
  const { band, seat } = someFollower(stage)
  const contract = oneOf(stage.random, band.contracts)
  const signed = stage.random.whole(1, 2) * stage.random.pick([[1, 1], [-1, 1]])
  let placed = ''
  stage.watch.byHand(seat, contract, Math.abs(signed), () => {
    placed = place(stage.world, seat, contract, signed)
  })
  return `hand in ${seat.id} ${placed}`
}

const pauseOrResume: Step = async ({ world, random }) => {
  const { id } = oneOf(random, world.bands)
  const name = random.pick([['pause', 1], ['resume', 2]] as const)
  await world.copier().ask(name, { userId: USER, id })
  return `${name} ${id.slice(0, 8)}`
}

/** The log line of a kill. */
export const killed = 'killed and started again'

const kill: Step = async ({ world }) => {
  await world.restart()
  return killed
}

/** Kills while orders of the followers are on their way to the brokerage, which takes them only after the copier is there again. */
const killMidOrder: Step = async (stage) => {
  const { world, watch, random } = stage
  // From here on one order too many shows.
  await inStep(world, watch)
  for (const { seat } of world.bands.flatMap(({ followers }) => followers)) world.broker.faults.add({ kind: 'late-acceptance', ms: random.whole(5_000, 7_000), path: '/order/placeorder$', account: seat.id, times: 1 })
  const traded = trade(stage)
  await pause(random.whole(20, 150))
  await world.restart()
  return `${String(traded)}, ${killed}`
}

const wake: Step = async ({ world }) => {
  await world.copier().ask('woke', undefined)
  return 'woke'
}

const drop: Step = ({ world, random }) => {
  const login = oneOf(random, world.seats).loginId
  world.broker.sockets.drop({ login })
  return `lines of ${login} cut`
}

const shutDown: Step = ({ world, random }) => {
  const login = oneOf(random, world.seats).loginId
  world.broker.sockets.shutdown('Maintenance', { login })
  return `lines of ${login} shut down`
}

const silence: Step = ({ world, random }) => {
  const login = oneOf(random, world.seats).loginId
  world.broker.sockets.silence({ login })
  return `lines of ${login} silent`
}

const pushOut: Step = ({ world, random }) => {
  const login = oneOf(random, world.seats).loginId
  world.broker.sessions.pushOut(login, random.pick([[408, 1], [429, 1], [500, 1]]))
  return `${login} pushed out`
}

const killToken: Step = ({ world, random }) => {
  const login = oneOf(random, world.seats).loginId
  world.broker.sessions.killAccess(login)
  return `tokens of ${login} dead`
}

const ORDERS = '/order/(place|modify|cancel)order$'
const faultsOf = (random: Random, account: number, login: string): readonly (readonly [FaultInput, number])[] => {
  const times = random.whole(1, 2)
  const order = { path: ORDERS, account, times }
  const line = { path: `/websocket/${login}$`, times: random.whole(1, 6) }
  return [
    [{ kind: 'partial-fills', pieces: random.whole(2, 3), byStep: random.next() < 0.5, dropRest: random.next() < 0.2, account, times }, 6],
    [{ kind: 'reject-order', account, times }, 4],
    [{ kind: 'late-reject', ms: random.whole(0, 40), account, times }, 4],
    [{ kind: 'slow-fill', account, times }, 3],
    [{ kind: 'fill-beats-cancel', account, times }, 3],
    [{ kind: 'lost-answer', ...order, times: 1 }, 3],
    [{ kind: 'lost-request', ...order, times: 1 }, 2],
    [{ kind: 'late-acceptance', ms: random.whole(20, 1500), ...order, times: 1 }, 2],
    [{ kind: 'never-answers', ...order, times: 1 }, 0.3],
    [{ kind: 'rate-limited', ...order, times: 1 }, 1],
    [{ kind: 'penalty', seconds: random.whole(0, 2), ...order, times: 1 }, 2],
    [{ kind: 'server-error', status: 503, ...order, times: 1 }, 2],
    [{ kind: 'slow', ms: random.whole(20, 400), ...order }, 3],
    [{ kind: 'penalty', seconds: 1, path: 'syncrequest$', times: 1 }, 1],
    [{ kind: 'server-error', status: 500, path: '/(order|fill|command|position)/list$', times }, 2],
    [{ kind: 'truncated-json', path: '/(order|fill)/list$', times: 1 }, 1],
    [{ kind: 'socket-duplicates', ...line }, 6],
    [{ kind: 'socket-shuffles', ms: random.whole(1, 80), seed: random.whole(0, 1e6), ...line }, 6],
    [{ kind: 'socket-withholds', ...line }, 4],
    [{ kind: 'socket-cut', path: line.path, times: 1 }, 3],
    [{ kind: 'socket-silent', path: line.path, times: 1 }, 0.5],
    [{ kind: 'socket-malformed', field: random.pick([['qty', 1], ['id', 1], ['netPos', 1], ['ordStatus', 1]]), ...line }, 2],
    [{ kind: 'socket-arrays', of: random.pick([['entity', 1], ['d', 1]]), ...line }, 3],
    [{ kind: 'socket-unknown-entity', ...line }, 2],
    [{ kind: 'socket-unreachable', times }, 1],
    [{ kind: 'socket-refused', times: 1 }, 0.5],
  ]
}

const fault: Step = (stage) => {
  const { seat } = someFollower(stage)
  const struck = stage.random.pick(faultsOf(stage.random, seat.id, seat.loginId))
  stage.world.broker.faults.add(struck)
  return `fault ${JSON.stringify(struck)}`
}

const leadersPartial: Step = (stage) => {
  const { leader } = oneOf(stage.random, stage.world.bands)
  stage.world.broker.faults.add({ kind: 'partial-fills', pieces: stage.random.whole(2, 3), byStep: true, account: leader.id, times: 1 })
  return `the next order of leader ${leader.id} fills in pieces`
}

/** What may happen, and how often. */
export const steps: readonly (readonly [Step, number])[] = [
  [trade, 26], [flip, 8], [close, 6], [protect, 9], [bracket, 4], [move, 10], [withdraw, 4], [price, 16], [flow, 4], [letGo, 3],
  [fault, 9], [leadersPartial, 1.5], [hand, 0.6], [pauseOrResume, 0.8], [wake, 0.1], [kill, 0.3], [drop, 0.6], [shutDown, 0.1], [silence, 0.1], [pushOut, 0.06], [killToken, 0.2],
]

/** The same without faults of the brokerage, and with a kill in every few steps. */
export const stepsWithKills: typeof steps = [[trade, 26], [flip, 8], [close, 6], [protect, 9], [move, 10], [price, 10], [flow, 4], [kill, 50], [killMidOrder, 10]]
