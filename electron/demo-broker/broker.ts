import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { empty, jsonOf, type Answer, type Call } from './answers.ts'
import { answerApi } from './api.ts'
import { sessionAt, sessionOpen, sessionsAfter } from './calendar.ts'
import { answerConsent } from './consent.ts'
import { frontMonth, productNamed, type Contract } from './contracts.ts'
import { createGrants, grantsStateSchema, type Grants, type GrantsState } from './grants.ts'
import { noHooks, type Hooks, type NoAnswer } from './hooks.ts'
import { listen, type Listening } from './http.ts'
import { openMarket, type Market } from './market.ts'
import { openQuoteSockets, type MinuteBar, type QuoteSockets } from './quotes.ts'
import { openReportService, type ReportService } from './reports.ts'
import { DEFAULT_SEED, noPast, seededWorld, tradePast } from './seeded-world.ts'
import { minutesOf, openTapes, type Tapes } from './tape.ts'
import type { Action, ClockStop, DemoLogin, World } from './world.ts'

/** Options of the demo brokerage. */
export type DemoBrokerOptions = {
  /** The last session's trading day, `YYYY-MM-DD`, a weekday. */
  readonly anchor: string
  /** The same seed and anchor give the same brokerage to the last byte; `DEFAULT_SEED` by default. */
  readonly seed?: number
  /** Leaves out products in euros, so that each total is one figure. */
  readonly dollarsOnly?: boolean
  /** Replaces the seeded world; it has no history before its first session. */
  readonly world?: World
  /** 0, any free port, by default. */
  readonly port?: number
  /** The market clock's start, UTC milliseconds; the walk's last stop by default. */
  readonly now?: number
  readonly clientId?: string
  readonly clientSecret?: string
  /** Registered redirect URIs in addition to those on loopback. */
  readonly redirectUris?: readonly string[]
  /** A file that persists the logins' tokens; without it they end with the process. */
  readonly stateFile?: string
  /** The clock of tokens, codes and penalties, UTC milliseconds; the computer's by default. */
  readonly wallNow?: () => number
  readonly hooks?: Hooks
}

/** A running demo brokerage. */
export type DemoBroker = {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly origins: {
    /** On `localhost`, which is another site for an application on 127.0.0.1. */
    readonly consentUrl: string
    /** `http://127.0.0.1:<port>/live/v1` */
    readonly liveApi: string
    /** `http://127.0.0.1:<port>/demo/v1` */
    readonly demoApi: string
    /** The token endpoint, without and with `/v1`. */
    readonly tokenUrls: readonly [string, string]
    /** `http://127.0.0.1:<port>/live/rpt/v1`, and the same below `/demo`. */
    readonly reports: { readonly live: string; readonly demo: string }
    /** `http://127.0.0.1:<port>/md/v1`, whose socket streams quotes. */
    readonly quotes: string
  }
  readonly clientId: string
  readonly clientSecret: string
  readonly logins: readonly DemoLogin[]
  /** Clock stops in order: shortly before the end of each session, and one in the middle of the last. */
  readonly walk: readonly ClockStop[]
  /** The market clock, which is frozen until set. */
  readonly clock: Market['clock']
  /** Places a market order in a product's front month, as if on the broker's platform. Returns the contract and, if refused, the broker's text. */
  readonly trade: (order: HandTrade) => { readonly contract: string; readonly refused: string | null }
  /** Moves subscribed prices this many times a second; 0 stops it. */
  readonly movePrices: (perSecond: number) => void
  /** The tapes of what its accounts traded, in the walk and after it, up to the market clock. From a moment on (UTC ms) that is before the walk, the first call makes the half year before it. */
  readonly tapes: (from?: number) => Promise<Tapes>
  /** The brokerage's parts, for test controls. */
  readonly inside: Inside
  /** Cuts every connection and frees the port. */
  readonly stop: () => Promise<void>
}

/** A market order for an account number. */
type HandTrade = { readonly account: number; readonly product: string; readonly action: Action; readonly qty: number }

/** The parts of a running demo brokerage. */
export type Inside = Pick<Market, 'books' | 'floor' | 'views'> & {
  readonly world: World
  readonly grants: Grants
  readonly reports: ReportService
  readonly quotes: QuoteSockets
  readonly listening: Listening
}

/** Starts a demo brokerage on loopback; rejects if the port is taken. */
export const startDemoBroker = async (options: DemoBrokerOptions): Promise<DemoBroker> => {
  const { anchor, seed = DEFAULT_SEED, dollarsOnly = false, clientId = 'fillbook-demo', clientSecret = randomUUID(), wallNow = Date.now, redirectUris = [], hooks = noHooks } = options
  const world = options.world ?? seededWorld(seed, anchor, dollarsOnly)
  const [before] = world.sessions
  const past = options.world !== undefined || before === undefined ? noPast : () => tradePast({ seed, dollarsOnly, before })
  const file = grantsFile(options.stateFile)
  // A session that another login closed loses its sockets too.
  const grants = createGrants(wallNow, file.load(), (state) => {
    file.save(state)
    listening.sockets.recheck()
    quotes.recheck()
  })
  const { clock, books, floor, views } = openMarket(world, { begin: options.now, hooks, wallNow })
  const logins = world.logins.map((login) => loginOf(world, login))
  const loginName = (userId: number): string => logins.find((each) => each.userId === userId)?.name ?? ''
  const reports = openReportService({ books, floor, past, now: clock.now })
  const counter = { world, grants, hooks, clientId, clientSecret, wallNow }

  const respond = async (call: Call): Promise<Answer | NoAnswer> => {
    if (call.path === '/oauth') {
      // After consent, rows are requested next: compute the history now.
      books.ledger()
      return answerConsent({ grants, logins, clientId, redirectUris }, call)
    }
    const { environment } = call
    return hooks.handle(call, () => (environment === null ? Promise.resolve(empty(404)) : answerApi({ counter, view: views.of, reports, floor }, call, environment)))
  }

  const tapes: DemoBroker['tapes'] = async (from = -Infinity) => {
    const traded = world.sessions[0] !== undefined && from >= sessionOpen(world.sessions[0]) ? await noPast() : await past()
    const last = world.sessions.at(-1)
    const since = last === undefined ? [] : sessionsAfter(last, sessionAt(clock.now()))
    return openTapes({ seed, executions: [...traded.executions, ...books.world.executions], sessions: [...traded.sessions, ...world.sessions, ...since], past: traded.sessions, world, now: clock.now() })
  }
  const minutes = async ({ name }: Contract, from: number, to: number): Promise<readonly MinuteBar[]> => {
    const made = await tapes(from)
    return made.sessionsOf(name, [{ from: from * 1000, to: to * 1000 }]).flatMap((session) => minutesOf(made.printsOf(name, session))).filter(({ at }) => at >= from && at < to)
  }
  const quotes = openQuoteSockets({ grants, hooks, floor, now: clock.now, loginName, minutes })
  const listening = await listen(options.port ?? 0, { grants, hooks, view: views.of, loginName, respond }, quotes.accept)
  const { port } = listening
  floor.listen(listening.sockets.publish)
  const url = `http://127.0.0.1:${port}`
  return {
    port, url, clientId, clientSecret, logins, clock,
    origins: {
      consentUrl: `http://localhost:${port}/oauth`,
      liveApi: `${url}/live/v1`,
      demoApi: `${url}/demo/v1`,
      tokenUrls: [`${url}/live/auth/oauthtoken`, `${url}/live/v1/auth/oauthtoken`],
      reports: { live: `${url}/live/rpt/v1`, demo: `${url}/demo/rpt/v1` },
      quotes: `${url}/md/v1`,
    },
    walk: world.walk,
    trade: ({ account, product, action, qty }) => {
      const contract = frontMonth(productNamed(product), sessionAt(clock.now())).name
      const { name, traderId, environment } = world.accounts.find(({ id }) => id === account) ?? {}
      if (traderId === undefined || environment === undefined) return { contract, refused: 'There is no such account or order' }
      const placed = floor.place({ userId: traderId, environment }, { accountId: account, accountSpec: name, action, symbol: contract, orderQty: qty, orderType: 'Market', timeInForce: 'Day', isAutomated: false })
      return { contract, refused: 'orderId' in placed ? null : placed.failureText }
    },
    movePrices: quotes.flow,
    tapes,
    inside: { world, grants, books, floor, views, reports, quotes, listening },
    stop: async () => {
      quotes.stop()
      await listening.stop()
    },
  }
}

const loginOf = (world: World, { name, userId }: World['logins'][number]): DemoLogin => ({
  name,
  userId,
  accounts: world.accounts.filter(({ traderId }) => traderId === userId).map(({ id, name: account, environment }) => ({ id, name: account, environment })),
})

/** Persists the login state in a file that only its owner can read; does nothing without a file. A damaged file is recreated, because the logins are fake anyway. */
export const grantsFile = (path: string | undefined): { load: () => GrantsState | null; save: (state: GrantsState) => void } => ({
  load: () => {
    const text = path === undefined ? null : readIfThere(path)
    return text === null ? null : (grantsStateSchema.safeParse(jsonOf(text)).data ?? null)
  },
  save: (state) => {
    if (path === undefined) return
    writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  },
})

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
