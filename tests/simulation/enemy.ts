import { currentVersion, openQty, type LiveOrder } from '#demo-broker/orders.ts'
import type { FaultInput } from '#tests/demo-broker/faults.ts'
import type { Random } from '#demo-broker/random.ts'
import type { GroupDraft } from '#shared/api/copier.ts'
import { followers, held, leaders, one, refusal, sideOf, type Deed } from './deed.ts'
import { bracket, closeUnheard, closeUnheardAndWait, flatten, leaveWithExits, lose, overtrade, refuseCloseLate, refuseExits, roll, runThrough, trail, unlock } from './stories.ts'
import { drawnRule, type World } from './world.ts'

const enter: Deed = (world, random) => {
  const account = one(random, leaders(world))
  const contract = random.pick([[world.traded[0] ?? '', 4], [world.traded[1] ?? '', 1]])
  if (account === null) return null
  const [buys, qty] = [random.next() < 0.5, random.whole(1, 3)]
  return `leader ${account} ${sideOf(buys)} ${String(qty)} ${contract}${world.place({ account, contract, buys, qty })}`
}

const reduce: Deed = (world, random) => {
  const account = one(random, leaders(world).filter((each) => held(world, each).length > 0))
  const position = account === null ? null : one(random, held(world, account))
  if (account === null || position === null) return null
  const size = Math.abs(position.net)
  const qty = random.pick([[size, 3], [random.whole(1, size), 3], [size + random.whole(1, 3), 2]])
  return `leader ${account} takes ${String(qty)} off ${String(position.net)} ${position.contract}${world.place({ account, contract: position.contract, buys: position.net < 0, qty })}`
}

/** A working order of a leader that opens or adds; the market comes to it later. */
const entry: Deed = (world, random) => {
  const account = one(random, leaders(world))
  if (account === null) return null
  const contract = random.pick([[world.traded[0] ?? '', 4], [world.traded[1] ?? '', 1]])
  const net = world.judge.net(account, contract)
  const buys = net === 0 ? random.next() < 0.5 : net > 0
  const away = random.whole(2, 12)
  const mark = world.mark(contract)
  const order = { account, contract, buys, qty: random.whole(1, 3) }
  const limit = mark + (buys ? -away : away)
  const stop = mark + (buys ? away : -away)
  switch (random.pick([['limit', 4], ['stop', 2], ['stop-limit', 1]])) {
    case 'limit': return `leader ${account} works to ${buys ? 'buy' : 'sell'} ${String(order.qty)} ${contract} at ${String(limit)}${world.place({ ...order, limit })}`
    case 'stop': return `leader ${account} works to ${buys ? 'buy' : 'sell'} ${String(order.qty)} ${contract} by a stop at ${String(stop)}${world.place({ ...order, stop })}`
    default: return `leader ${account} works to ${buys ? 'buy' : 'sell'} ${String(order.qty)} ${contract} by a stop at ${String(stop)} with a limit${world.place({ ...order, stop, limit: stop + (buys ? 2 : -2) })}`
  }
}

const moved = (world: World, random: Random, order: LiveOrder): string => {
  const { limit, stop } = currentVersion(order)
  const by = random.whole(-4, 4)
  const qty = random.next() < 0.2 ? order.filled + random.whole(1, 4) : currentVersion(order).qty
  const words = world.change(order.id, { qty, ...(limit === null ? {} : { limit: limit + by }), ...(stop === null ? {} : { stop: stop + by }) })
  return `moves #${String(order.id)} by ${String(by)}, quantity ${String(qty)}${words}`
}

const moveExit: Deed = (world, random) => {
  const account = one(random, leaders(world).filter((each) => world.judge.working(each).length > 0))
  const order = account === null ? null : one(random, world.judge.working(account))
  return order === null ? null : `leader ${String(account)} ${moved(world, random, order)}`
}

const scaleOut: Deed = (world, random) => {
  for (const account of leaders(world)) {
    const stop = world.judge.working(account).find((order) => currentVersion(order).stop !== null && openQty(order) > 1 && world.judge.net(account, order.contract.name) > 0 === (order.action === 'Sell'))
    if (stop === undefined) continue
    const position = Math.abs(world.judge.net(account, stop.contract.name))
    if (position < 2) continue
    const qty = random.whole(1, position - 1)
    return `leader ${account} scales out ${String(qty)} of ${String(position)}${world.place({ account, contract: stop.contract.name, buys: stop.action === 'Buy', qty })}${world.change(stop.id, { qty: position - qty })}`
  }
  return null
}

const cancelExit: Deed = (world, random) => {
  const account = one(random, leaders(world).filter((each) => world.judge.working(each).length > 0))
  const order = account === null ? null : one(random, world.judge.working(account))
  if (order === null) return null
  world.broker.byHand(() => world.broker.hand.cancel(order.id))
  return `leader ${String(account)} cancels #${String(order.id)}`
}

const price: Deed = (world, random) => {
  const contract = random.pick([[world.traded[0] ?? '', 4], [world.traded[1] ?? '', 1]])
  const ticks = world.mark(contract) + random.pick([[random.whole(-6, 6), 4], [random.whole(-30, 30), 2]])
  world.setPrice(contract, ticks)
  return `${contract} trades at ${String(ticks)}`
}

const handTrade: Deed = (world, random) => {
  const account = one(random, [...followers(world), ...followers(world), ...world.others])
  if (account === null) return null
  const contract = random.pick([[world.traded[0] ?? '', 4], [world.traded[1] ?? '', 2]])
  const [buys, qty] = [random.next() < 0.5, random.whole(1, 3)]
  return `a hand in ${account} ${sideOf(buys)} ${String(qty)} ${contract}${world.place({ account, contract, buys, qty })}`
}

const handClose: Deed = (world, random) => {
  const account = one(random, [...followers(world), ...world.others].filter((each) => held(world, each).length > 0))
  const position = account === null ? null : one(random, held(world, account))
  if (account === null || position === null) return null
  const qty = random.pick([[Math.abs(position.net), 3], [random.whole(1, Math.abs(position.net)), 1]])
  return `a hand in ${account} closes ${String(qty)} of ${String(position.net)} ${position.contract}${world.place({ account, contract: position.contract, buys: position.net < 0, qty })}`
}

const handExit: Deed = (world, random) => {
  const account = one(random, followers(world).filter((each) => world.judge.working(each).length > 0))
  const order = account === null ? null : one(random, world.judge.working(account))
  if (order === null) return null
  // What a hand makes of an entry is its own affair.
  if (random.next() < 0.4 && world.theme !== 'orders') return `a hand in ${String(account)} ${moved(world, random, order)}`
  world.broker.byHand(() => world.broker.hand.cancel(order.id))
  return `a hand in ${String(account)} cancels #${String(order.id)}`
}

const kill: Deed = async (world, random) => {
  if (world.program() === null) return null
  const silently = random.next() < 0.3
  world.kill(silently)
  const away = random.pick([[0, 3], [random.whole(500, 4_000), 2], [-1, 3]])
  if (away < 0) return `the program is killed${silently ? ', and its computer gone' : ''}`
  await world.clock.run(away)
  await world.start()
  return `the program is killed${silently ? ', its computer gone,' : ''} and starts again ${String(away)} ms later`
}
const begin: Deed = async (world) => {
  if (world.program() !== null) return null
  await world.start()
  return 'the program starts'
}

const cut: Deed = (world, random) => {
  const link = one(random, world.broker.links())
  if (link === null) return null
  link.cut()
  return `the line of ${String(link.login)} is cut`
}
const silence: Deed = (world, random) => {
  const link = one(random, world.broker.links())
  if (link === null) return null
  link.mute = random.pick([['from-broker', 2], ['everything', 1]])
  return `the line of ${String(link.login)} loses ${link.mute === 'everything' ? 'everything' : 'what the broker says'}`
}

const trouble: Deed = (world, random) => {
  const key = one(random, followers(world))
  const account = world.broker.accounts.find((each) => each.key === key)?.id
  if (account === undefined) return null
  const times = random.pick([[1, 4], [2, 2], [4, 1]])
  const order = '/order/(placeorder|placeoco|modifyorder)$'
  const place = '/order/(placeorder|placeoco|liquidateposition)$'
  const fault = random.pick<FaultInput>([
    [{ kind: 'reject-order', path: order, account, times, ...refusal }, 4],
    [{ kind: 'late-reject', path: place, account, times, ms: random.whole(5, 3_000), ...refusal }, 3],
    [{ kind: 'partial-fills', path: place, account, times: 1, pieces: 2, byStep: random.next() < 0.6, dropRest: random.next() < 0.2 }, 2],
    [{ kind: 'slow-fill', path: place, account, times: 1 }, 2],
    [{ kind: 'slow', path: '/order/', account, times, ms: random.whole(50, 2_000) }, 3],
    [{ kind: 'lost-answer', path: '/order/', account, times: 1 }, 2],
    [{ kind: 'lost-request', path: '/order/', account, times: 1 }, 1],
    [{ kind: 'late-acceptance', path: place, account, times: 1, ms: random.whole(50, 4_000) }, 1],
    [{ kind: 'fill-beats-cancel', path: '/order/cancelorder$', account, times: 1 }, 1],
    [{ kind: 'rate-limited', path: '/order/', account, times: 1 }, 1],
    [{ kind: 'penalty', path: '/order/', account, times: 1, seconds: random.whole(1, 10) }, 1],
  ])
  world.broker.faults.add(fault)
  return `fault in ${String(key)}: ${JSON.stringify(fault)}`
}
const release: Deed = (world) => {
  world.broker.look()
  world.broker.floor.step()
  world.broker.floor.release()
  return 'what fills slowly goes on'
}
const heal: Deed = (world) => {
  if (world.broker.faults.active().length === 0) return null
  world.broker.faults.clear()
  return 'the faults are over'
}

const choose: Deed = (world, random) => {
  const setting = one(random, world.settings)
  if (setting === null || world.program() === null) return null
  const draft: GroupDraft = structuredClone(setting.draft)
  const place = random.whole(0, draft.followers.length - 1)
  const follower = draft.followers[place]
  if (follower === undefined) return null
  const drawn = drawnRule(random, follower.account)
  const what = random.pick([['ratio', 2], ['cap', 2], ['switch', 4], ['out', 2], ['in', 1]])
  switch (what) {
    case 'ratio': draft.followers[place] = { ...follower, ratio: drawn.ratio }; break
    case 'cap': draft.followers[place] = { ...follower, contractCap: drawn.contractCap, maxPosition: drawn.maxPosition }; break
    case 'switch': draft.followers[place] = { ...follower, on: !follower.on }; break
    case 'out': {
      if (draft.followers.length < 2) return null
      draft.followers.splice(place, 1)
      break
    }
    case 'in': {
      const account = one(random, world.accounts.filter((each) => !leaders(world).includes(each) && !followers(world).includes(each)))
      if (account === null) return null
      draft.followers.push(drawnRule(random, account))
    }
  }
  world.save(setting, draft)
  return `the user changes ${draft.name}: ${what} ${follower.account} ${JSON.stringify(draft.followers.map(({ account, on, ratio, contractCap, maxPosition }) => [account.slice(-2), on, ratio.num / ratio.den, contractCap, maxPosition]))}`
}
const arming: Deed = async (world, random) => {
  const setting = one(random, world.settings)
  if (setting === null || world.program() === null) return null
  const state = setting.state === 'off' ? 'armed' : random.pick<'off' | 'paused' | 'armed'>([['off', 2], ['paused', 1], ['armed', 1]])
  if (state === setting.state) return null
  await world.setState(setting, state)
  return `the user sets ${setting.draft.name} ${state}`
}
/** Answers one question that the screen asks, or brings a follower back that waits for its user. */
export const answer: Deed = (world, random) => {
  const live = world.live()
  if (live === null) return null
  type Asked = { readonly setting: World['settings'][number]; readonly account: string; readonly answer: 'adopt' | 'leave' | 'flatten' | 'bring-back' }
  const asking = world.settings.flatMap((setting) => (live.groups.find(({ id }) => id === setting.id)?.followers ?? []).flatMap((follower): Asked[] => {
    if (setting.state === 'off') return []
    if (follower.undecided.length > 0) return [{ setting, account: follower.account, answer: random.pick<'adopt' | 'leave' | 'flatten'>([['adopt', 2], ['leave', 1], ['flatten', 1]]) }]
    return follower.why === 'by-hand' || follower.why === 'exit-filled' ? [{ setting, account: follower.account, answer: 'bring-back' }] : []
  }))
  const asked = one(random, asking)
  if (asked === null) return null
  world.answer(asked.setting, asked.account, asked.answer)
  return `the user answers ${asked.answer} for ${asked.account}`
}

/** The user has a follower closed, or one contract of it. */
const close: Deed = (world, random) => {
  if (world.program() === null) return null
  const account = one(random, followers(world).filter((each) => held(world, each).length > 0))
  const position = account === null ? null : one(random, held(world, account))
  if (account === null || position === null) return null
  const contract = random.next() < 0.5 ? null : position.contract
  world.close(account, contract)
  return `the user has ${contract ?? 'everything'} of ${account} closed`
}

const deeds: readonly (readonly [Deed, number])[] = [
  [enter, 14], [reduce, 10], [bracket, 10], [moveExit, 4], [scaleOut, 4], [cancelExit, 2], [price, 16],
  [handTrade, 5], [handClose, 6], [handExit, 3], [kill, 5], [begin, 6], [cut, 3], [silence, 3], [trouble, 9], [release, 4], [heal, 3],
  [runThrough, 5], [closeUnheard, 2], [leaveWithExits, 2],
  [choose, 4], [arming, 3], [answer, 5],
]

/** What else happens in worlds of a theme; the deeds of all worlds stay as they are. */
const more: Readonly<Record<World['theme'], typeof deeds>> = {
  plain: [],
  orders: [[entry, 12], [refuseExits, 3]],
  flatten: [[refuseExits, 5], [closeUnheardAndWait, 5], [refuseCloseLate, 5]],
  closing: [[close, 4], [refuseExits, 3], [closeUnheardAndWait, 5], [refuseCloseLate, 5]],
  invert: [[scaleOut, 8], [refuseExits, 5], [closeUnheardAndWait, 5], [refuseCloseLate, 5]],
}
/** What happens in worlds that have something besides. */
const besides: Readonly<Record<World['extra'], typeof deeds>> = {
  none: [],
  guard: [[overtrade, 6], [flatten, 3], [unlock, 10]],
  loss: [[lose, 10], [unlock, 3]],
  shared: [],
  trailing: [[trail, 20]],
  roll: [[roll, 3]],
}
const deedsOf = ({ theme, extra }: World): typeof deeds => [...deeds, ...more[theme], ...besides[extra]]

const gaps = (random: Random): number => random.pick([[random.whole(0, 30), 6], [random.whole(30, 400), 5], [random.whole(400, 3_000), 5], [random.whole(3_000, 20_000), 2], [random.whole(60_000, 600_000), 0.15]])

/** Does one step of a world, which its seed and its number draw, and lets time pass after it; gives its words. */
export const step = async (world: World, random: Random): Promise<string> => {
  let words: string | null = null
  for (let turn = 0; words === null && turn < 8; turn += 1) {
    const deed = random.pick(deedsOf(world))
    words = await deed(world, random)
    if (words !== null) world.done.add(deed.name)
  }
  await world.clock.run(gaps(random))
  return words ?? 'nothing'
}
