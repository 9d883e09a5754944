import Database from 'better-sqlite3'
import { z } from 'zod'
import type { LiveFollower } from '#shared/api/copier.ts'
import { until } from '#tests/helpers/until.ts'
import { followed, scaled, type SeenOrder, type Watch } from './model-watch.ts'
import { filesIn } from './copier-child.ts'
import { USER, type Band, type ModelWorld, type Seat } from './model-world.ts'

// A pushed-out login is opened again after a minute, longer each time, and an order that was lost is known to be so after ten seconds.
const PATIENCE_MS = 240_000
const LINES_PATIENCE_MS = 90_000
const ROWS = z.array(z.object({ cl_ord_id: z.string(), stage: z.string(), filled: z.number() }))

/** Lets everything come to rest: throws where a follower is neither at its target nor in a stated lock in time, or the ledger does not explain every order. */
export const rest = async (world: ModelWorld, watch: Watch): Promise<void> => {
  let why = 'nothing was looked at'
  const begun = performance.now()
  let woken = false
  try {
    await Promise.race([
      world.copier().died,
      until(async () => {
        calm(world)
        if (!woken && performance.now() - begun > LINES_PATIENCE_MS) {
          // Whoever was pushed out often need not wait for the next quarter of an hour: the lines can be opened by hand.
          woken = true
          await world.copier().ask('woke', undefined)
        }
        why = (await unsettled(world, watch)) ?? unexplained(world, watch) ?? ''
        return why === '' ? true : null
      }, 'everybody to be in step', PATIENCE_MS),
    ])
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}: ${why}`, { cause: error })
  }
  holdInStep(world, watch)
}

/** Waits until every follower is at its target. A follower whose copier was killed before it stored a first trade asks, and gets an answer; a lock or deviation for any other reason throws. */
export const inStep = async (world: ModelWorld, watch: Watch): Promise<void> => {
  const isOff = (band: Band): boolean => band.followers.some(({ seat, rule }) => band.contracts.some((from) => {
    const { contract, target } = watch.target(band, rule, from)
    return watch.net(seat, contract) !== target
  }))
  await until(async () => {
    for (const { id, followers } of (await world.live()).groups) for (const { account, undecided } of followers) if (undecided.length > 0) await adopt(world, id, account)
    return world.bands.some(isOff) ? null : true
  }, 'everybody to be in step')
  holdInStep(world, watch)
}

const holdInStep = ({ bands }: ModelWorld, watch: Watch): void => {
  for (const { followers, contracts } of bands) for (const { seat, rule } of followers) for (const contract of contracts) watch.inStep(seat, followed(rule, contract))
}

const adopt = (world: ModelWorld, id: string, account: string): Promise<unknown> => world.copier().ask('answerStart', { userId: USER, id, account, answer: 'adopt' })

type Quantities = readonly (readonly [string, number])[]

/** Clears every fault and releases everything it held back. */
const calm = ({ broker, floor }: ModelWorld): void => {
  broker.faults.clear()
  broker.sockets.refuse(false)
  broker.sockets.release()
  floor.release()
  floor.step()
}

/** What copying came to at rest, as the brokerage's own events have it and as the ledger and the leaders want it: orders of ours that filled, by their ids, with how many, and every follower's position, contract by contract. */
export const outcome = (world: ModelWorld, watch: Watch): { readonly orders: { readonly found: Quantities; readonly expected: Quantities }; readonly positions: { readonly found: Quantities; readonly expected: Quantities } } => {
  const filled = world.seats.flatMap((seat) => watch.ordersOf(seat)).filter((order) => order.clOrdId !== null && order.filled > 0)
  const followed = world.bands.flatMap((band) => band.followers.flatMap(({ seat, rule }) => band.contracts.map((from) => ({ seat, ...watch.target(band, rule, from) }))))
  return {
    orders: { found: filled.map((order) => [order.clOrdId ?? '', order.filled]), expected: ledgerOf(world).filter((row) => row.filled > 0).map((row) => [row.cl_ord_id, row.filled]) },
    positions: { found: followed.map(({ seat, contract }) => [`${seat.key} ${contract}`, watch.net(seat, contract)]), expected: followed.map(({ seat, contract, target }) => [`${seat.key} ${contract}`, target]) },
  }
}

/** The first deviation left after the user's answers; null if there is none. */
const unsettled = async (world: ModelWorld, watch: Watch): Promise<string | null> => {
  const live = await world.live()
  for (const band of world.bands) {
    const group = live.groups.find(({ id }) => id === band.id)
    if (group === undefined) return `group ${band.id} is gone`
    if (group.state !== 'armed') {
      await world.copier().ask('resume', { userId: USER, id: band.id })
      return `group ${band.id} is ${group.state}`
    }
    if (group.blocked !== null || group.leaderLine !== 'up') return `the leader's line is ${group.leaderLine}, blocked: ${group.blocked}`
    // All followers first: a manual position of one blocks the others.
    for (const { seat } of band.followers) {
      const row = group.followers.find(({ account }) => account === seat.key)
      const answered = row === undefined ? null : await answer(world, watch, band, seat, row)
      if (answered !== null) return answered
    }
    for (const { seat, rule } of band.followers) {
      const row = group.followers.find(({ account }) => account === seat.key)
      if (row === undefined) return `follower ${seat.key} is gone`
      for (const contract of band.contracts) {
        const { contract: own, target } = watch.target(band, rule, contract)
        const net = watch.net(seat, own)
        if (net !== target) return `${seat.key} holds ${net} ${own} instead of ${target}: ${JSON.stringify(row)}`
        const [there, asked] = [exitsThere(watch.working(seat), own), exitsAsked(watch, band, contract, rule, net, own)]
        if (there !== asked) return `${seat.key} has the exits ${there} instead of ${asked}: ${JSON.stringify(row)}`
      }
      const apart = row.contracts.find(({ difference, inFlight }) => difference !== 0 || inFlight !== 0)
      if (row.state !== 'armed' || apart !== undefined) return `${seat.key} says that it is ${row.state}: ${JSON.stringify(row)}`
    }
  }
  return null
}

/** Answers any pending question for the user; null if there is none. */
const answer = async (world: ModelWorld, watch: Watch, band: Band, seat: Seat, row: LiveFollower): Promise<string | null> => {
  const of = { userId: USER, id: band.id, account: row.account }
  if (row.undecided.length > 0) {
    await adopt(world, band.id, row.account)
    return `${row.account} was asked`
  }
  if (row.state === 'locked') {
    if (row.lock === null) return `${row.account} is locked for no stated reason`
    await world.copier().ask('unlock', of)
    return `${row.account} was locked: ${row.lock}`
  }
  // The broker's advice after too many calls is an hour: its user starts the program again.
  if (row.contracts.some(({ why, exits }) => why === 'rate-limited' || exits.waiting > 0) && world.copierAgeMs() > 20_000) {
    await world.restart()
    return `${row.account} had to wait for the broker's limit`
  }
  const own = row.contracts.find(({ yours, why, inFlight }) => yours !== 0 && why !== 'reading' && inFlight === 0)
  if (own !== undefined) {
    const { contract, yours } = own
    // A manual position belongs to the user, and only the user closes it.
    watch.byHand(seat, contract, Math.abs(yours), () => void world.floor.place(seat, { accountId: seat.id, accountSpec: seat.name, action: yours > 0 ? 'Sell' : 'Buy', symbol: contract, orderQty: Math.abs(yours), orderType: 'Market', timeInForce: 'Day', isAutomated: false }))
    return `${row.account} held ${yours} ${contract} of its user's`
  }
  if (row.contracts.some(({ why }) => why === 'by-hand' || why === 'exit-filled')) {
    await world.copier().ask('settle', { ...of, answer: 'bring-back' })
    return `${row.account} stood apart`
  }
  return null
}

/** The exits that a follower should have, price by price. */
const exitsAsked = (watch: Watch, band: Band, from: string, rule: Parameters<typeof scaled>[0], net: number, contract: string): string => {
  const leader = watch.net(band.leader, from)
  const asked: [string, number][] = []
  for (const type of ['Stop', 'Limit']) {
    const opposing = watch.working(band.leader).filter((order) => order.contract === from && order.status === 'Working' && order.type === type && order.side === -Math.sign(leader))
    // The nearest to the market first.
    const nearest = opposing.sort((a, b) => ((type === 'Stop') === (leader > 0) ? (b.price ?? 0) - (a.price ?? 0) : (a.price ?? 0) - (b.price ?? 0)) || a.id - b.id)
    let cumulated = 0
    let given = 0
    for (const order of nearest) {
      cumulated += order.qty - order.filled
      // As many as its target loses when these fill.
      const after = Math.sign(leader) * Math.max(0, Math.abs(leader) - cumulated)
      const upTo = Math.min(Math.abs(net), Math.abs(scaled(rule, from, leader)) - Math.abs(scaled(rule, from, after)))
      if (upTo > given) asked.push([`${type} ${order.price}`, upTo - given])
      given = Math.max(given, upTo)
    }
  }
  return summed(asked, contract)
}

const exitsThere = (working: readonly SeenOrder[], contract: string): string =>
  summed(working.filter((order) => order.contract === contract).map((order) => [`${order.type} ${order.price}`, order.qty - order.filled]), contract)

const summed = (lines: readonly (readonly [string, number])[], contract: string): string => {
  const sums = new Map<string, number>()
  for (const [line, qty] of lines) sums.set(line, (sums.get(line) ?? 0) + qty)
  return `${contract} ${[...sums].sort(([a], [b]) => a.localeCompare(b)).map(([line, qty]) => `${line} × ${qty}`).join(', ')}`
}

/** Every order that the copier wrote down. */
const ledgerOf = (world: ModelWorld): z.infer<typeof ROWS> => {
  const file = new Database(filesIn(world.folder).file, { readonly: true })
  try {
    return ROWS.parse(file.prepare('SELECT cl_ord_id, stage, filled FROM orders').all())
  } finally {
    file.close()
  }
}

/** An order that the ledger does not explain, or has differently than the brokerage; null without one. */
const unexplained = (world: ModelWorld, watch: Watch): string | null => {
  const kept = new Map(ledgerOf(world).map((row) => [row.cl_ord_id, row]))
  const there = world.seats.flatMap((seat) => watch.ordersOf(seat)).filter(({ clOrdId }) => clOrdId !== null)
  for (const order of there) {
    const row = kept.get(order.clOrdId ?? '')
    if (row === undefined) return `the ledger does not know ${order.clOrdId} (order ${order.id})`
    if (row.filled !== order.filled) return `of ${order.clOrdId} (order ${order.id}, ${order.status}) ${order.filled} filled, the ledger says ${row.filled} (${row.stage})`
  }
  const sent = new Set(there.map(({ clOrdId }) => clOrdId))
  for (const { cl_ord_id: id, stage, filled } of kept.values()) {
    if (['written', 'sent', 'unknown'].includes(stage)) return `the ledger leaves ${id} ${stage}`
    if (!sent.has(id) && (filled > 0 || stage === 'acknowledged')) return `the ledger has ${id} as ${stage}, the brokerage has never seen it`
  }
  return null
}
