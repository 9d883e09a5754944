import { followers, held, leaders, one, refusal, sideOf, triggerOf, withExits, type Deed } from './deed.ts'

/** A leader protects what it holds. */
export const bracket: Deed = (world, random) => {
  const account = one(random, leaders(world).filter((each) => held(world, each).length > 0))
  const position = account === null ? null : one(random, held(world, account))
  if (account === null || position === null || world.judge.working(account).length > 0) return null
  const { contract, net } = position
  const away = net > 0 ? 1 : -1
  const mark = world.mark(contract)
  const exit = { account, contract, buys: net < 0, qty: Math.abs(net) }
  const stop = { ...exit, stop: mark - away * random.whole(4, 20) }
  const target = { ...exit, limit: mark + away * random.whole(4, 20) }
  switch (random.pick([['both', 3], ['oco', 3], ['stop', 3]])) {
    case 'stop': return `leader ${account} places a stop at ${String(stop.stop)}${world.place(stop)}`
    case 'oco': return `leader ${account} places stop ${String(stop.stop)} and target ${String(target.limit)} as OCO${world.oco(stop, target)}`
    default: return `leader ${account} places stop ${String(stop.stop)} and target ${String(target.limit)}${world.place(stop)}${world.place(target)}`
  }
}

/** The market comes to a working exit. */
export const runThrough: Deed = (world, random) => {
  const working = one(random, [...leaders(world), ...followers(world)].flatMap((account) => world.judge.working(account)))
  if (working === null) return null
  const { limit, stop } = triggerOf(working)
  const contract = world.traded.find((name) => working.contract.name.endsWith(name)) ?? ''
  const ticks = (limit ?? stop ?? world.mark(contract)) + random.whole(-1, 1)
  world.setPrice(contract, ticks)
  return `${contract} comes to ${String(ticks)}, to #${String(working.id)}`
}
/** A manual close of a follower with a silent line, and the market reaches its exit. */
export const closeUnheard: Deed = async (world, random) => {
  const found = one(random, withExits(world))
  if (found === null) return null
  const { account, order } = found
  const login = world.broker.accounts.find(({ key }) => key === account)?.loginId
  const net = world.judge.net(account, order.contract.name)
  if (net === 0) return null
  for (const link of world.broker.links()) if (link.login === login) link.mute = 'from-broker'
  const words = world.place({ account, contract: order.contract.name, buys: net < 0, qty: Math.abs(net) })
  await world.clock.run(random.whole(10, 20_000))
  return `while the line of ${String(login)} says nothing a hand in ${account} closes ${String(net)} ${order.contract.name}${words}; ${String(await runThrough(world, random))}`
}
/** A follower with working exits is switched off or removed, or its group is disarmed. */
export const leaveWithExits: Deed = async (world, random) => {
  const found = one(random, withExits(world))
  const setting = world.settings.find(({ draft }) => draft.followers.some(({ account }) => account === found?.account))
  if (found === null || setting === undefined || world.program() === null) return null
  if (random.next() < 0.3) {
    await world.setState(setting, 'off')
    return `the user disarms ${setting.draft.name} while exits of ${found.account} work`
  }
  const draft = structuredClone(setting.draft)
  const isOut = draft.followers.length > 1 && random.next() < 0.4
  draft.followers = isOut ? draft.followers.filter(({ account }) => account !== found.account) : draft.followers.map((rule) => (rule.account === found.account ? { ...rule, on: false } : rule))
  world.save(setting, draft)
  return `the user ${isOut ? 'takes out' : 'switches off'} ${found.account} while its exits work`
}

/** The broker refuses a follower's exits for a while, and the leader places its own. */
export const refuseExits: Deed = async (world, random) => {
  const leader = one(random, leaders(world).filter((each) => held(world, each).length > 0 && world.judge.working(each).length === 0))
  const key = one(random, world.settings.filter(({ draft }) => draft.leader === leader).flatMap(({ draft }) => draft.followers.map(({ account }) => account)).filter((each) => held(world, each).length > 0))
  const account = world.broker.accounts.find((each) => each.key === key)?.id
  if (account === undefined) return null
  world.broker.faults.add({ kind: 'reject-order', path: '/order/(placeorder|placeoco)$', account, times: 8, ...refusal })
  const words = await bracket(world, random)
  await world.clock.run(8_000)
  return `the broker refuses the exits of ${String(key)}; ${String(words)}`
}

/** A follower's close is refused late, and the leader opens something else meanwhile. */
export const refuseCloseLate: Deed = async (world, random) => {
  const leader = one(random, leaders(world).filter((each) => held(world, each).length > 0))
  const position = leader === null ? null : one(random, held(world, leader))
  const other = world.traded.find((contract) => contract !== position?.contract)
  if (leader === null || position === null || other === undefined) return null
  for (const { draft } of world.settings) {
    if (draft.leader !== leader) continue
    for (const { account: key } of draft.followers) {
      const account = world.broker.accounts.find((each) => each.key === key)?.id
      if (account !== undefined) world.broker.faults.add({ kind: 'late-reject', path: '/order/placeorder$', account, times: 1, ms: random.whole(1_000, 3_000), ...refusal })
    }
  }
  const words = world.place({ account: leader, contract: position.contract, buys: position.net < 0, qty: Math.abs(position.net) })
  await world.clock.run(random.whole(50, 300))
  const [buys, qty] = [random.next() < 0.5, random.whole(1, 3)]
  return `closes of ${leader} are refused late: it closes ${String(position.net)} ${position.contract}${words} and ${sideOf(buys)} ${String(qty)} ${other}${world.place({ account: leader, contract: other, buys, qty })}`
}
/** A manual close of a follower with a silent line, its exit fills, and nothing more happens until the program knows. */
export const closeUnheardAndWait: Deed = async (world, random) => {
  const found = one(random, withExits(world))
  if (found === null) return null
  const { account, order } = found
  const contract = order.contract.name
  const net = world.judge.net(account, contract)
  if (net === 0 || net > 0 === (order.action === 'Buy')) return null
  const login = world.broker.accounts.find(({ key }) => key === account)?.loginId
  for (const link of world.broker.links()) if (link.login === login) link.mute = 'from-broker'
  const words = world.place({ account, contract, buys: net < 0, qty: Math.abs(net) })
  const { limit, stop } = triggerOf(order)
  world.setPrice(contract, limit ?? stop ?? world.mark(contract))
  for (const link of world.broker.links()) if (link.login === login) link.cut()
  await world.clock.run(12_000)
  return `while the line of ${String(login)} says nothing a hand in ${account} closes ${String(net)} ${contract}${words}, its exit #${String(order.id)} is come to, and the line is cut`
}

/** A leader protects itself by a trailing stop, with or without a target that is taken at the market once it is touched. */
export const trail: Deed = (world, random) => {
  const account = one(random, leaders(world).filter((each) => held(world, each).length > 0))
  const position = account === null ? null : one(random, held(world, account))
  if (account === null || position === null || world.judge.working(account).length > 0) return null
  const { contract, net } = position
  const exit = { account, contract, buys: net < 0, qty: Math.abs(net) }
  const stop = { ...exit, trail: random.whole(4, 20) }
  const target = { ...exit, limit: world.mark(contract) + (net > 0 ? 1 : -1) * random.whole(4, 20), touched: true }
  switch (random.pick([['both', 2], ['oco', 3], ['trail', 3], ['touch', 1]])) {
    case 'trail': return `leader ${account} trails ${contract} by ${String(stop.trail)}${world.place(stop)}`
    case 'touch': return `leader ${account} takes ${contract} where ${String(target.limit)} is touched${world.place(target)}`
    case 'oco': return `leader ${account} trails ${contract} by ${String(stop.trail)} or takes it at ${String(target.limit)} as OCO${world.oco(stop, target)}`
    default: return `leader ${account} trails ${contract} by ${String(stop.trail)} or takes it at ${String(target.limit)}${world.place(stop)}${world.place(target)}`
  }
}

/** A hand goes beyond what a guarded follower may hold. */
export const overtrade: Deed = async (world, random) => {
  const account = one(random, world.settings.flatMap(({ draft, state }) => (state === 'off' ? [] : draft.followers.filter(({ guard, on }) => guard && on).map((rule) => rule.account))))
  if (account === null || world.program() === null) return null
  const [contract = ''] = world.traded
  const buys = world.judge.net(account, contract) > 0
  const words = world.place({ account, contract, buys, qty: random.whole(3, 5) })
  await world.clock.run(3_000)
  return `a hand in ${account} trades more ${contract} than it may hold${words}`
}
/** A hand trades in a follower that may lose only so much a day, and the market goes against it: it takes the loss, or holds on. */
export const lose: Deed = async (world, random) => {
  const account = one(random, world.settings.flatMap(({ draft, state }) => (state === 'off' ? [] : draft.followers.filter(({ dailyLoss, on }) => dailyLoss !== null && on).map((rule) => rule.account))))
  if (account === null || world.program() === null) return null
  const [contract = ''] = world.traded
  const buys = world.judge.net(account, contract) > 0 || (world.judge.net(account, contract) === 0 && random.next() < 0.5)
  const order = { account, contract, qty: random.whole(1, 2) }
  const words = world.place({ ...order, buys })
  await world.clock.run(random.whole(20, 2_000))
  world.setPrice(contract, world.mark(contract) + (buys ? -1 : 1) * random.whole(10, 50))
  const takes = random.next() < 0.5
  const rest = takes ? world.place({ ...order, buys: !buys }) : ''
  await world.clock.run(random.pick([[random.whole(0, 2_000), 2], [random.whole(8_000, 20_000), 3]]))
  return `a hand in ${account} ${sideOf(buys)} ${String(order.qty)} ${contract}${words} and ${takes ? `takes its loss${rest}` : 'holds on'}`
}
/** The user closes and locks all followers of a group. */
export const flatten: Deed = (world, random) => {
  const setting = one(random, world.settings.filter(({ state }) => state !== 'off'))
  if (setting === null || world.program() === null) return null
  world.flatten(setting)
  return `the user flattens ${setting.draft.name}`
}
/** The user unlocks one that is locked. */
export const unlock: Deed = (world, random) => {
  const locked = world.settings.flatMap((setting) => (world.live()?.groups.find(({ id }) => id === setting.id)?.followers ?? []).filter(({ lock }) => lock !== null).map(({ account }) => ({ setting, account })))
  const found = one(random, locked)
  if (found === null) return null
  world.unlock(found.setting, found.account)
  return `the user unlocks ${found.account}`
}

/** A session ends and the next one begins. */
export const roll: Deed = async (world) => {
  const left = (world.beginsAt - world.clock.now())
  if (left <= 0) return null
  await world.clock.run(left + 30_000)
  world.broker.look()
  return 'a new session begins'
}
