import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CopierAccount } from '#backend/copier/engine/calls.ts'
import { frontMonth, PRODUCTS } from '#demo-broker/contracts.ts'
import type { ExchangeFloor, Trader } from '#demo-broker/floor.ts'
import type { Environment } from '#demo-broker/world.ts'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import type { Tokens } from '#backend/brokers/tradovate/tokens.ts'
import type { CopierLive, CopyGroup, ExactRatio, FollowerRule, GroupDraft } from '#shared/api/copier.ts'
import { logIn } from '#tests/helpers/demo-client.ts'
import { filesIn, startCopierChild, type CopierChild } from './copier-child.ts'

export const USER = 'trader-1'
const ANCHOR = '2026-11-20'
const LOGINS = [{ name: 'ada', live: 1, demo: 3 }, { name: 'bo', live: 0, demo: 4 }, { name: 'cy', live: 3, demo: 0 }] as const

/** An account with the login that trades it. */
export type Seat = CopierAccount & Trader

/** A leader, what it trades, and who follows it. */
export type Band = { readonly id: string; readonly leader: Seat; readonly contracts: readonly string[]; readonly followers: readonly { readonly seat: Seat; readonly rule: FollowerRule }[] }

/** A brokerage, a copier in a process of its own, and two groups at work. */
export type ModelWorld = {
  readonly broker: TestBroker
  readonly floor: ExchangeFloor
  readonly bands: readonly Band[]
  readonly seats: readonly Seat[]
  readonly copier: () => CopierChild
  readonly live: () => Promise<CopierLive>
  /** Whole ticks of what a contract trades at. */
  readonly mark: (contract: string) => number
  /** Moves the market, of a contract and of its smaller one as one. */
  readonly setPrice: (contract: string, ticks: number) => void
  /** Kills the copier on the spot and starts it again on the same file. */
  readonly restart: () => Promise<void>
  /** How long the copier runs since it was started. */
  readonly copierAgeMs: () => number
  readonly folder: string
  readonly end: () => Promise<void>
}

const followerRule = (account: string, given: Partial<FollowerRule> = {}): FollowerRule => ({
  account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 100, invert: false, guard: false, ...given,
})
const times = (num: number, den: number): ExactRatio => ({ num, den })

/** The first market price, in ticks. */
const MARKS: Readonly<Record<string, number>> = { NQ: 100_000, MNQ: 100_000, ES: 27_000, MES: 27_000, CL: 7_000, GC: 40_000 }

/** The contracts that are traded. */
export const tradedContracts = PRODUCTS.filter(({ name }) => name in MARKS).map((product) => frontMonth(product, ANCHOR))

/** The contract of a product that is traded. */
export const contractOf = (product: string): string => {
  const found = tradedContracts.find((each) => each.product.name === product)
  if (found === undefined) throw new RangeError(`No product ${product}`)
  return found.name
}

/** Starts it all: everybody flat, both groups armed. */
export const openWorld = async (): Promise<ModelWorld> => {
  const folder = await mkdtemp(join(tmpdir(), 'copier-model-'))
  const broker = await startTestBroker({ anchor: ANCHOR, scenario: { kind: 'floor', logins: LOGINS.map((login) => ({ ...login })) }, clientId: 'model-app', clientSecret: 'model-secret-77' })
  const { floor } = broker
  const seats = broker.logins.flatMap(({ name, userId, accounts }) =>
    accounts.map(({ id, name: account, environment }): Seat => ({ key: `tradovate:${environment}:${id}`, loginId: name, environment, id, name: account, userId })))
  const seat = (login: string, environment: Environment, place: number): Seat => {
    const found = seats.filter((each) => each.loginId === login && each.environment === environment)[place]
    if (found === undefined) throw new RangeError(`No account ${login} ${environment} ${place}`)
    return found
  }
  const follows = (who: Seat, given?: Partial<FollowerRule>) => ({ seat: who, rule: followerRule(who.key, given) })

  const first = {
    leader: seat('ada', 'demo', 0), contracts: [contractOf('NQ'), contractOf('ES')],
    followers: [
      follows(seat('ada', 'demo', 1)),
      follows(seat('ada', 'live', 0), { contractCap: 3 }),
      follows(seat('ada', 'demo', 2), { mappings: [{ from: 'NQ', to: 'MNQ', factor: times(10, 1) }], ratio: times(1, 2) }),
      follows(seat('bo', 'demo', 0), { ratio: times(2, 3) }),
      follows(seat('bo', 'demo', 1), { ratio: times(2, 1) }),
    ],
  }
  const second = {
    leader: seat('bo', 'demo', 2), contracts: [contractOf('CL'), contractOf('GC')],
    followers: [follows(seat('bo', 'demo', 3)), follows(seat('cy', 'live', 0), { ratio: times(3, 2) }), follows(seat('cy', 'live', 1), { maxRejects: 3 })],
  }

  let tokens: Record<string, Tokens> = {}
  const hosts = { authorize: broker.origins.consentUrl, token: broker.origins.tokenUrls, live: broker.origins.liveApi, demo: broker.origins.demoApi }
  const start = async (): Promise<CopierChild> => {
    tokens = {}
    for (const { name } of LOGINS) {
      const given = await logIn(broker, name)
      const now = Date.now()
      tokens[name] = { access: given.access_token, refresh: given.refresh_token, accessExpiresAt: now + given.expires_in * 1000, obtainedAt: now }
    }
    return startCopierChild({
      ...filesIn(folder), callsPerHour: 1_000_000, accounts: seats.map(({ key, loginId, environment, id, name }) => ({ key, loginId, environment, id, name })), tokens, hosts,
      credentials: { clientId: broker.clientId, clientSecret: broker.clientSecret },
    })
  }

  const marks = new Map<string, number>()
  const setPrice = (contract: string, ticks: number): void => {
    for (const each of [contract, `M${contract}`].filter((name) => tradedContracts.some((known) => known.name === name))) {
      marks.set(each, ticks)
      floor.setPrice(each, ticks)
    }
  }
  for (const [product, ticks] of Object.entries(MARKS)) setPrice(contractOf(product), ticks)
  let startedAt = performance.now()
  let child = await start()
  const bands: Band[] = []
  for (const [place, plan] of [first, second].entries()) {
    const draft: GroupDraft = { name: `Band ${place + 1}`, leader: plan.leader.key, followers: plan.followers.map(({ rule }) => rule), exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false }
    const group: CopyGroup | null = await child.ask('saveGroup', { userId: USER, id: null, draft })
    if (group === null) throw new Error('The group was not taken')
    bands.push({ id: group.id, ...plan })
    await child.ask('allow', { userId: USER, id: group.id, entries: true })
    await child.ask('arm', { userId: USER, id: group.id })
  }

  return {
    broker, floor, bands, seats, folder,
    mark: (contract) => marks.get(contract) ?? 0,
    setPrice,
    copierAgeMs: () => performance.now() - startedAt,
    copier: () => child,
    live: async () => (await child.ask('state', { userId: USER })).live,
    restart: async () => {
      await child.kill()
      startedAt = performance.now()
      child = await start()
      for (const { id } of bands) await child.ask('allow', { userId: USER, id, entries: true })
    },
    end: async () => {
      await child.kill()
      await broker.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
