import type { FillPairRecord } from '#shared/api/records.ts'
import type { Broker } from './broker.ts'
import { openJournal, type JournalUser, type Shown } from './journal.ts'
import { judge, pairUp, type Evidence, type Silent } from './judge.ts'
import { contracts, inChicago, nextSession, undisturbed, type Fill } from './market.ts'
import { openLots, truePairs, type TruePair } from './oracle.ts'
import type { Product } from './product.ts'
import type { Step, Trick, Walk } from './steps.ts'
import { holds, judgeWritings, writings, type Written } from './writings.ts'
import { booked, hasOrder, isListed, isReadable, newWorld, nextId, settle, today, type World } from './world.ts'

/** What came of a walk: everything silent, with the step after which it was seen. */
export type Outcome = { readonly silent: readonly (Silent & { readonly after: string })[]; readonly syncs: number; readonly fills: number; /** What the journal showed at the end. */ readonly end: Shown }

/** The program and the broker that walks are made with. */
export type Ground = { readonly product: Product; readonly broker: Broker }

type State = {
  readonly ground: Ground
  readonly world: World
  readonly user: JournalUser
  readonly found: (Silent & { after: string })[]
  readonly written: Written[]
  readonly removals: Map<string, TruePair>
  /** Fills that the program was given well. */
  readonly received: Set<Fill>
  before: TruePair[]
  /** Up to when the broker listed positions, UTC ms. */
  positionsListed: number
  connectedOn: string | null
}

// After every walk, so that no session has expired before it starts.
const signUps = Date.UTC(2040, 0, 1)

let walks = 0

/** Walks through all steps and, after the last, lets the broker deliver all that it owes: then everything must be right. */
export const makeWalk = async (ground: Ground, walk: Walk): Promise<Outcome> => {
  walks += 1
  const start = inChicago(walk.from, 9)
  const world = newWorld(`w${String(walk.seed)}-${String(walks)}`, walks, walk.accounts, start)
  ground.broker.open(world)
  // The program counts who signs up within a minute, and the clocks of walks go back: each user comes a minute after the last.
  await ground.product.setClock(signUps + walks * 60_000)
  const browser = await ground.product.newBrowser()
  const { userId } = await browser.signUp(`${world.key}@example.com`)
  await ground.product.setClock(start)
  const user = await openJournal(browser, userId, ground.broker, world)
  const state: State = { ground, world, user, found: [], written: [], removals: new Map(), received: new Set(), before: [], positionsListed: 0, connectedOn: null }
  try {
    for (const [index, step] of walk.steps.entries()) await take(state, step, `step ${String(index + 1)} ${step.do}`)
    await deliver(state)
    return { silent: state.found, syncs: world.turn, fills: world.fills.length, end: await user.look() }
  } finally {
    user.close()
    ground.broker.close(world)
  }
}

const take = async (state: State, step: Step, name: string): Promise<void> => {
  const { world } = state
  switch (step.do) {
    case 'order':
      return trade(state, step)
    case 'pass':
      return advance(state, step.hours * 3_600_000)
    case 'roll':
      return moveTo(state, inChicago(nextSession(today(world)), 8.5))
    case 'bust':
    case 'correct':
    case 'replace':
    case 'retime':
      return change(world, step)
    case 'note':
    case 'tag':
    case 'stop':
    case 'remove':
    case 'restore':
      return edit(state, step)
    case 'connect':
      if (state.connectedOn !== null) return
      await state.ground.product.setClock(world.now)
      world.turn += 1
      state.connectedOn = today(world)
      state.positionsListed = world.now
      await state.user.connect()
      return look(state, name)
    case 'sync':
      return sync(state, step, name)
    case 'history':
      if (state.connectedOn !== null) await bring(state, name)
  }
}

/** The clock moves on; what would lie after the session's trading lies in the next one. */
const advance = async (state: State, ms: number): Promise<void> => {
  const { world } = state
  const next = world.now + ms
  return moveTo(state, next > inChicago(today(world), 15.5) ? inChicago(nextSession(today(world)), 8.5) : next)
}

const moveTo = async ({ ground, world }: State, time: number): Promise<void> => {
  world.now = time
  // The back office has everything by the end of a session.
  for (const fill of world.fills) if (fill.day < today(world)) fill.rows.bookedFrom = 0
  await ground.product.setClock(time)
}

const disturbance = (turn: number, { late = 0, listedLate = 0, unlisted, orderLate = 0, feeLate, spoilt }: Trick): Fill['rows'] => {
  const after = (syncs: number): number => (syncs === 0 ? 0 : turn + 1 + syncs)
  return { ...undisturbed(), bookedFrom: after(late), listedFrom: after(listedLate), unlisted: unlisted === true, orderFrom: after(orderLate), feeFrom: after(feeLate?.syncs ?? 0), feeBefore: feeLate?.before ?? 'none', readableFrom: after(spoilt?.syncs ?? 0), spoilt: spoilt?.field ?? 'price' }
}

const trade = async (state: State, { account, contract, side, qty, pieces, ticks, wait, trick }: Extract<Step, { do: 'order' }>): Promise<void> => {
  await advance(state, wait * 1000)
  const { world } = state
  const own = world.accounts[account % world.accounts.length]
  const what = contracts[contract % contracts.length]
  if (own === undefined || what === undefined) return
  const orderId = nextId(world)
  for (let piece = 0; piece < pieces; piece += 1) {
    const part = Math.floor(qty / pieces) + (piece < qty % pieces ? 1 : 0)
    world.fills.push({ id: nextId(world), orderId, account: own.id, contract: what, time: world.now, day: today(world), side, qty: part, ticks: what.near + ticks + piece, active: true, feeCents: 95 * part, rows: disturbance(world.turn, trick) })
  }
}

const picked = <T>(values: readonly T[], pick: number): T | undefined => values[Math.floor(pick * values.length)]

/** What the broker changes of the session under way; afterwards no list would show it. */
const change = (world: World, step: Extract<Step, { do: 'bust' | 'correct' | 'replace' | 'retime' }>): void => {
  const fill = picked(world.fills.filter((each) => each.active && isListed(world, each)), step.pick)
  if (fill === undefined) return
  if (step.do === 'bust') fill.active = false
  else if (step.do === 'correct') fill.ticks += step.by
  else if (step.do === 'retime') fill.time -= step.by * 40
  else {
    fill.active = false
    world.fills.push({ ...fill, id: nextId(world), ticks: fill.ticks - step.by, active: true, rows: undisturbed() })
  }
}

const sync = async (state: State, step: Extract<Step, { do: 'sync' }>, name: string): Promise<void> => {
  const { world } = state
  if (state.connectedOn === null) return
  await moveTo(state, step.atClose ? Math.max(world.now + 1_000, inChicago(today(world), 15.95)) : world.now + 1_000)
  world.turn += 1
  world.faults = step.faults.map((fault) => ({ ...fault }))
  world.shuffled = step.shuffled
  // A position never goes back to an earlier state.
  world.positionsUntil = step.lag === null ? null : Math.max(state.positionsListed, world.now - step.lag * 1000)
  const listed = world.fills.filter((fill) => isListed(world, fill))
  for (const share of step.hide) {
    const hidden = picked(listed, share)
    if (hidden !== undefined) world.hidden.add(hidden.id)
  }
  await state.user.sync()
  await look(state, name)
  state.positionsListed = world.positionsUntil ?? world.now
  world.faults = []
  world.hidden.clear()
  world.positionsUntil = null
}

const bring = async (state: State, name: string): Promise<void> => {
  await state.user.history('2026-01-01')
  await look(state, name)
}

/** Looks at all that is shown and judges it; what seems wrong is looked at once more, for a read may cross a write. */
const look = async (state: State, after: string, final = false): Promise<void> => {
  const { world } = state
  const evidence: Evidence = { removals: [...state.removals.values()].map((pair) => ({ pair })), before: state.before, since: state.connectedOn ?? '9999', received: state.received, final }
  const judged = async (): Promise<{ shown: Shown; silent: Silent[] }> => {
    const shown = await state.user.look()
    return { shown, silent: [...judge(world, shown, evidence), ...judgeWritings(world, shown, state.written, final, evidence.since)] }
  }
  let result = await judged()
  if (result.silent.length > 0) result = await judged()
  state.found.push(...result.silent.map((silent) => ({ ...silent, after })))
  if (result.shown.receipt.troubles.length > 0) return
  // What changes afterwards was another then.
  state.before = truePairs(booked(world)).map(asItIs)
  for (const fill of booked(world)) if (isListed(world, fill) && isReadable(world, fill) && hasOrder(world, fill)) state.received.add(fill)
}

const asItIs = (pair: TruePair): TruePair => ({ ...pair, entry: { ...pair.entry }, exit: { ...pair.exit } })

const edit = async (state: State, step: Extract<Step, { pick: number }>): Promise<void> => {
  if (state.connectedOn === null) return
  const { world, user } = state
  if (step.do === 'restore') {
    const id = picked([...state.removals.keys()], step.pick)
    if (id !== undefined && (await user.restore(id))) state.removals.delete(id)
    return
  }
  const { pairs: rows } = await user.look()
  const right = pairUp(world, rows, truePairs(booked(world)), state.connectedOn).shown.filter((each): each is readonly [FillPairRecord, TruePair] => each[1] !== null)
  const [chosen, pair] = picked(right, step.pick) ?? []
  if (chosen === undefined || pair === undefined) return
  if (step.do === 'remove') {
    await user.remove(chosen.id)
    state.removals.set(chosen.id, pair)
    for (const each of state.written) if ((each.pair.entry.id === pair.entry.id && each.pair.exit.id === pair.exit.id) || holds(each, chosen)) each.removed = true
    return
  }
  const { updates, text } = writings(step.do as 'note' | 'tag' | 'stop', chosen, state.written.length)
  await user.write(chosen.id, updates)
  state.written.push({ kind: step.do as 'note' | 'tag' | 'stop', text, pair: asItIs(pair), removed: false })
}

/** Everything that the broker owes: no trick any more, all flat, a sync at the end of the session, and its history. */
const deliver = async (state: State): Promise<void> => {
  const { world } = state
  if (state.connectedOn === null) await take(state, { do: 'connect' }, 'the end: connect')
  for (const fill of world.fills) settle(fill.rows)
  world.shuffled = false
  await moveTo(state, world.now + 60_000 > inChicago(today(world), 15.5) ? inChicago(nextSession(today(world)), 8.5) : world.now + 60_000)
  for (const { fill, left } of openLots(world.fills)) {
    world.fills.push({ ...fill, id: nextId(world), orderId: nextId(world), time: world.now, day: today(world), side: fill.side === 'Buy' ? 'Sell' : 'Buy', qty: left, feeCents: 95 * left, rows: undisturbed() })
  }
  await sync(state, { do: 'sync', atClose: true, faults: [], hide: [], shuffled: false, lag: null }, 'the end: sync')
  await moveTo(state, inChicago(nextSession(today(world)), 8.5))
  world.turn += 1
  await state.user.sync()
  await state.user.history('2026-01-01')
  await look(state, 'the end: history', true)
}
