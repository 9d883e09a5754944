import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chicagoTime } from '#demo-broker/calendar.ts'
import { frontMonth, priceOf, PRODUCTS, type Contract } from '#demo-broker/contracts.ts'
import { randomFor, type Random } from '#demo-broker/random.ts'
import { openCopierStore } from '#backend/copier/store/copier-store.ts'
import type { CopierLive, FollowerRule, GroupDraft } from '#shared/api/copier.ts'
import { levelTicks } from '#tests/demo-broker/floor-world.ts'
import { copierPaths, silent } from '#tests/helpers/copier-samples.ts'
import { openBroker, type Broker } from './broker.ts'
import { openClock, type Clock } from './clock.ts'
import { openJudge, type Judge } from './judge.ts'
import type { Setting } from './lots.ts'
import { startProgram, USER, type Computer, type Program } from './program.ts'

const anchor = '2026-11-18'
const logins = [{ name: 'ada', demo: 4 }, { name: 'bo', demo: 3 }, { name: 'cy', demo: 2 }] as const

const contractOf = (name: string): Contract => {
  const product = PRODUCTS.find((each) => each.name === name)
  if (product === undefined) throw new Error(`No product ${name}`)
  return frontMonth(product, anchor)
}
const [nq, mnq, es, mes] = [contractOf('NQ'), contractOf('MNQ'), contractOf('ES'), contractOf('MES')]
const contracts = new Map([nq, mnq, es, mes].map((contract) => [contract.name, contract]))

/** A manual order on the broker's own screen; prices in whole ticks. */
export type HandOrder = { readonly account: string; readonly contract: string; readonly buys: boolean; readonly qty: number; readonly limit?: number; readonly stop?: number; /** A trailing stop's distance. */ readonly trail?: number; /** Whether the limit is one that becomes a market order when it is touched. */ readonly touched?: boolean }

/** What a world is about beside the rest, drawn apart from it. */
export type Theme = 'plain' | 'orders' | 'flatten' | 'closing' | 'invert'

/** What a world has besides. */
export type Extra = 'none' | 'guard' | 'loss' | 'shared' | 'trailing' | 'roll'

/** Everything that an enemy can touch. */
export type World = {
  readonly theme: Theme
  readonly extra: Extra
  /** When the next session begins (UTC ms). */
  readonly beginsAt: number
  /** The names of what happened so far. */
  readonly done: Set<string>
  readonly clock: Clock
  readonly broker: Broker
  readonly judge: Judge
  readonly settings: Setting[]
  /** The contracts that leaders trade. */
  readonly traded: readonly string[]
  readonly accounts: readonly string[]
  /** Connected accounts that no group names at first. */
  readonly others: readonly string[]
  readonly program: () => Program | null
  readonly start: () => Promise<void>
  readonly kill: (silently: boolean) => void
  readonly mark: (contract: string) => number
  readonly setPrice: (contract: string, ticks: number) => void
  readonly place: (order: HandOrder) => string
  /** Two orders by hand of which one cancels the other. */
  readonly oco: (first: HandOrder, second: HandOrder) => string
  readonly change: (orderId: number, to: { readonly qty?: number; readonly limit?: number; readonly stop?: number }) => string
  readonly save: (setting: Setting, draft: GroupDraft) => void
  readonly setState: (setting: Setting, state: Setting['state']) => Promise<void>
  readonly answer: (setting: Setting, account: string, answer: 'adopt' | 'flatten' | 'leave' | 'bring-back') => void
  /** Has an account of a user closed, or one contract of it. */
  readonly close: (account: string, contract: string | null) => void
  /** Has all followers of a group closed and locked. */
  readonly flatten: (setting: Setting) => void
  readonly unlock: (setting: Setting, account: string) => void
  readonly live: () => CopierLive | null
  readonly end: () => void
}

const rule = (account: string, given: Partial<FollowerRule>): FollowerRule => ({
  account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 50, invert: false, guard: false, ...given,
})

/** A rule as chance has it: most copy one to one. */
export const drawnRule = (random: Random, account: string): FollowerRule => {
  const ratio = random.pick([[{ num: 1, den: 1 }, 6], [{ num: 2, den: 1 }, 2], [{ num: 1, den: 2 }, 1], [{ num: 3, den: 2 }, 1]])
  return rule(account, {
    ratio,
    contractCap: random.pick([[null, 4], [random.whole(2, 5), 1]]),
    maxPosition: random.pick([[null, 2], [random.whole(2, 6), 2]]),
    products: random.pick([[null, 8], [['NQ', 'MNQ'], 1]]),
    mappings: random.pick([[[], 6], [[{ from: 'NQ', to: 'MNQ', factor: { num: 2, den: 1 } }], 1]]),
  })
}

/** Files in memory where the machine has them: what a disk adds is for the few real runs. */
const shelf = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
let template: string | null = null
const freshFolder = (): string => {
  if (template === null) {
    const made = mkdtempSync(join(shelf, 'simulation-template-'))
    openCopierStore({ ...copierPaths(made), log: silent }).close()
    process.on('exit', () => { rmSync(made, { recursive: true, force: true }) })
    template = made
  }
  const folder = mkdtempSync(join(shelf, 'simulation-'))
  mkdirSync(folder, { recursive: true })
  copyFileSync(copierPaths(template).file, copierPaths(folder).file)
  return folder
}

const leadsBy = (random: Random, accounts: readonly string[], count: number): { readonly leader: string; readonly followers: string[]; readonly others: string[] }[] => {
  const left = [...accounts]
  const take = (): string => left.splice(random.whole(0, left.length - 1), 1)[0] ?? ''
  const bands = Array.from({ length: count }, () => ({ leader: take(), followers: Array.from({ length: random.whole(1, count === 1 ? 4 : 2) }, take), others: left }))
  return bands
}

/** Opens a world that a seed draws: accounts, groups, the hour; its program runs, its groups are armed, and everybody is flat. */
export const openWorld = async (seed: string, trace: (line: string) => void, passOver: ReadonlySet<string> = new Set()): Promise<World> => {
  const random = randomFor(`${seed}/world`)
  const drawn = randomFor(`${seed}/extra`).pick<Extra>([['none', 9], ['guard', 2], ['shared', 3], ['trailing', 2], ['roll', 1]])
  const extra = drawn === 'none' && randomFor(`${seed}/loss`).next() < 0.15 ? 'loss' : drawn
  const minute = random.pick([[10 * 60 + 30, 8], [15 * 60 + 30, 1], [16 * 60 + 58, 0]])
  let judge: Judge | null = null
  const clock = openClock(chicagoTime(anchor, extra === 'roll' ? 15 * 60 + 55 : minute), seed, (error) => {
    if (judge === null) throw error
    judge.crashed(error)
  })
  const folder = freshFolder()
  const broker = openBroker({ clock, random: randomFor(`${seed}/network`), anchor, logins })
  const computer: Computer = { folder, tokens: new Map(logins.map(({ name }) => [name, broker.tokensOf(name)])) }
  const keys = broker.accounts.map(({ key }) => key)
  const bands = leadsBy(random, keys, random.pick([[1, 2], [2, 3]]))
  // One account follows both leaders, each in products of its own.
  const [both] = extra === 'shared' && bands.length > 1 ? (bands[0]?.followers ?? []) : []
  if (both !== undefined) bands[1]?.followers.push(both)
  const settings: Setting[] = []
  let program: Program | null = null
  const liveNow = (): CopierLive | null => program?.ask((calls) => calls.state({ userId: USER }).live) ?? null
  const beginsAt = chicagoTime(anchor, 17 * 60)
  judge = openJudge({ broker, now: clock.now, settings: () => settings, isAlive: () => program !== null, screen: () => liveNow(), overAt: beginsAt, trace, passOver })
  const watch = judge
  const marks = new Map([...contracts.values()].map((contract) => [contract.name, levelTicks(contract.product)]))
  const timingRandom = randomFor(`${seed}/program`)

  const wordOf = (answer: object): string => ('failureText' in answer ? ` (refused: ${String(answer.failureText)})` : '')
  const requestOf = ({ account, contract, buys, qty, limit, stop, trail, touched = false }: HandOrder) => {
    const known = contracts.get(contract)
    const found = broker.accounts.find(({ key }) => key === account)
    if (known === undefined || found === undefined) throw new Error(`Nothing to trade: ${contract} in ${account}`)
    return {
      accountId: found.id, accountSpec: found.name, action: buys ? ('Buy' as const) : ('Sell' as const), symbol: contract, orderQty: qty, timeInForce: 'Day' as const, isAutomated: false,
      orderType: trail !== undefined ? ('TrailingStop' as const) : stop === undefined ? (limit === undefined ? ('Market' as const) : touched ? ('MIT' as const) : ('Limit' as const)) : limit === undefined ? ('Stop' as const) : ('StopLimit' as const),
      ...(limit === undefined ? {} : { price: priceOf(known.product, limit) }), ...(stop === undefined ? {} : { stopPrice: priceOf(known.product, stop) }),
      ...(trail === undefined ? {} : { pegDifference: priceOf(known.product, buys ? trail : -trail) }),
    }
  }
  const start = async (): Promise<void> => {
    if (program !== null) return
    program = startProgram({ clock, broker, random: timingRandom, computer, accounts: () => broker.accounts, said: trace })
    const { ask } = program
    await clock.run(1)
    for (const { id } of settings) ask((calls) => { calls.allow({ userId: USER, id, entries: true }) })
  }

  const theme = randomFor(`${seed}/theme`).pick<Theme>([['plain', 6], ['orders', 3], ['flatten', 1], ['closing', 1], ['invert', 1]])
  const world: World = {
    theme, extra, beginsAt, done: new Set(both === undefined ? [] : ['twoGroups']), clock, broker, judge: watch, settings, start,
    traded: [nq.name, es.name],
    accounts: keys,
    others: keys.filter((key) => !bands.some(({ leader, followers }) => leader === key || followers.includes(key))),
    program: () => program,
    kill: (silently) => {
      program?.kill(silently)
      program = null
      watch.requests.died()
    },
    mark: (contract) => marks.get(contract) ?? 0,
    setPrice: (contract, ticks) => {
      broker.look()
      for (const name of [contract, ...(contract === nq.name ? [mnq.name] : [])]) {
        marks.set(name, ticks)
        broker.floor.setPrice(name, ticks)
      }
    },
    place: (order) => wordOf(broker.byHand(() => broker.floor.place(broker.traderOf(order.account), requestOf(order)))),
    oco: (first, second) => {
      const { action, orderType, timeInForce, ...other } = requestOf(second)
      return wordOf(broker.byHand(() => broker.floor.oco(broker.traderOf(first.account), {
        ...requestOf(first),
        other: { action, orderType, timeInForce, ...('price' in other ? { price: other.price } : {}), ...('stopPrice' in other ? { stopPrice: other.stopPrice } : {}), ...('pegDifference' in other ? { pegDifference: other.pegDifference } : {}) },
      })))
    },
    change: (orderId, { qty, limit, stop }) => {
      const order = broker.floor.orders().find(({ id }) => id === orderId)
      if (order === undefined) return ' (gone)'
      const { product } = order.contract
      return wordOf(broker.byHand(() => broker.hand.modify(orderId, { qty, price: limit === undefined ? undefined : priceOf(product, limit), stopPrice: stop === undefined ? undefined : priceOf(product, stop) })))
    },
    save: (setting, draft) => {
      if (program === null) return
      const before = { ...setting }
      setting.draft = draft
      program.ask((calls) => calls.saveGroup({ userId: USER, id: setting.id, draft }))
      watch.requests.set(before, setting)
      watch.guards.forget(setting.id, null)
    },
    setState: async (setting, state) => {
      if (program === null || setting.state === state) return
      const before = { ...setting }
      const { ask } = program
      const at = { userId: USER, id: setting.id }
      setting.state = state
      watch.requests.set(before, setting)
      watch.guards.forget(setting.id, null)
      if (state === 'off') void ask((calls) => calls.disarm(at))
      else if (state === 'paused') ask((calls) => calls.pause(at))
      else if (before.state === 'paused') ask((calls) => calls.resume(at))
      else {
        ask((calls) => { calls.allow({ ...at, entries: true }) })
        void ask((calls) => calls.arm(at))
      }
      await clock.run(0)
    },
    answer: (setting, account, answer) => {
      if (program === null) return
      const { undecided = [], contracts = [] } = world.live()?.groups.find(({ id }) => id === setting.id)?.followers.find((each) => each.account === account) ?? {}
      const at = { userId: USER, id: setting.id, account }
      const live = program.ask((calls) => (answer === 'bring-back' ? calls.settle({ ...at, answer }) : calls.answerStart({ ...at, answer })))
      // What the screen still asks was not answered: the program does not know enough there.
      const asksOn = live.groups.find(({ id }) => id === setting.id)?.followers.find((each) => each.account === account)?.undecided ?? []
      const about = answer === 'bring-back' ? contracts.filter(({ why, difference }) => why !== null || difference !== 0) : undecided.filter(({ contract }) => asksOn.every((each) => each.contract !== contract))
      watch.requests.answered(account, answer, about.map(({ contract }) => contract))
    },
    close: (account, contract) => {
      if (program === null) return
      const said = watch.requests.closes(account, contract)
      void program.ask((calls) => (contract === null ? calls.flattenAccount({ userId: USER, account }) : calls.closePosition({ userId: USER, account, contract })).then(said))
    },
    flatten: (setting) => {
      if (program === null) return
      const said = watch.requests.flattens(setting)
      void program.ask((calls) => calls.flatten({ userId: USER, id: setting.id }).then(said))
    },
    unlock: (setting, account) => {
      if (program === null) return
      watch.requests.unlocked(setting, account)
      watch.guards.forget(setting.id, account)
      program.ask((calls) => calls.unlock({ userId: USER, id: setting.id, account }))
    },
    live: liveNow,
    end: () => {
      program?.kill(false)
      program = null
      rmSync(folder, { recursive: true, force: true })
    },
  }

  await start()
  await clock.run(200)
  for (const [place, { leader, followers }] of bands.entries()) {
    const draft: GroupDraft = {
      name: `Band ${String(place + 1)}`, leader, followers: followers.map((account, nth) => ({
        ...drawnRule(random, account), invert: theme === 'invert' && nth === 0,
        ...(account === both ? { products: place === 0 ? ['NQ', 'MNQ'] : ['ES', 'MES'], invert: false } : {}),
        ...(extra === 'guard' && nth === 0 ? { guard: true, maxPosition: 3 } : {}),
        ...(extra === 'loss' && nth === 0 ? { guard: true, dailyLoss: '300', maxPosition: null } : {}),
      })), exits: random.pick([[true, 6], [false, 1]]), mode: theme === 'orders' ? 'orders' : 'fills',
      unprotected: theme === 'flatten' ? 'flatten' : 'keep', leftExits: random.pick([['cancel', 1], ['keep', 1]]), dryRun: false,
    }
    const saved = world.program()?.ask((calls) => calls.saveGroup({ userId: USER, id: null, draft }))
    if (!saved) throw new Error('The group was not taken')
    const setting: Setting = { id: saved.id, draft, state: 'off' }
    settings.push(setting)
    await world.setState(setting, 'armed')
  }
  await clock.run(3_000)
  return world
}
