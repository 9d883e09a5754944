import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { Log } from '#shared/base/log.ts'
import type { Logins } from '../../sync/logins.ts'
import type { Environment } from '#shared/sync/plan.ts'
import { socketUrl } from '../../brokers/tradovate/hosts.ts'
import type { Login, Pass } from '../../brokers/tradovate/login.ts'
import { openQuotes, type Quote, type QuotesEnd, type QuotesNews, type QuotesDeps, type QuoteSocket } from '../../brokers/tradovate/quotes.ts'
import { wallOf, type Timing } from '../../brokers/timing.ts'
import type { PricesNow } from '../../brokers/live.ts'
import { pauseBefore, steadyMs } from './reconnect.ts'
import { contractsOn, type Account, type World } from './world.ts'

/** Delay before retrying a login that may not read prices, unless it gets new tokens. */
const deniedMs = 3_600_000
/** How long a socket stays open when flat: an active trader is soon back. */
const lingerMs = 60_000
/** A socket is replaced this long before its token expires. */
const replacedMs = 60_000

/** Dependencies of quotes. `received` is called for users whose prices or price access changed. */
export type WatchQuotesDeps = {
  readonly world: World
  readonly logins: Pick<Logins, 'open'>
  readonly timing: Timing
  readonly received: (userId: string) => void
  readonly log: Log
  readonly open?: (deps: QuotesDeps) => QuoteSocket
}

type Source = {
  readonly userId: string
  readonly loginId: string
  /** The side that delivers prices: both have the same contracts. */
  environment: Environment
  wanted: Set<string>
  /** Since when (UTC ms) nothing is subscribed. */
  idleSince: number | null
  opening: boolean
  socket: QuoteSocket | null
  ready: boolean
  readySince: number
  expiresAt: number
  /** The pass of a host that redirected this login, and whether the previous one did too. */
  redirected: Pass | null
  retried: boolean
  /** When (UTC ms) the login was refused, and individually refused contracts. */
  deniedAt: number | null
  readonly inaccessible: Map<string, number>
  attempt: number
  /** Not reopened before this time (UTC ms). */
  notBefore: number
}

const newSource = ({ userId, loginId, environment }: Account): Source => ({
  userId, loginId, environment,
  wanted: new Set(), idleSince: null, opening: false,
  socket: null, ready: false, readySince: Infinity, expiresAt: Infinity,
  redirected: null, retried: false, deniedAt: null, inaccessible: new Map(),
  attempt: 0, notBefore: 0,
})

const keyOf = ({ userId, loginId }: { readonly userId: string; readonly loginId: string }): string => `${userId}|${loginId}`

/** The contracts of an account's open positions. */
const heldOf = ({ book, contracts }: Account): string[] => book.contracts().flatMap((id) => (book.net(id) === 0 ? [] : (contracts.byId.get(id)?.name ?? [])))

/** Wanted contracts that were not refused. */
const accessible = ({ wanted, inaccessible }: Source): Set<string> => new Set([...wanted].filter((contract) => !inaccessible.has(contract)))

/** Prices of watched positions, over one socket per login. These sockets never affect order lines. */
export const createWatchQuotes = ({ world, logins, timing, received, log, open = openQuotes }: WatchQuotesDeps) => {
  const sources = new Map<string, Source>()
  const stopping = new AbortController()
  let hushed: NodeJS.Timeout | undefined

  const sourceOf = (account: Account): Source => getOrInsert(sources, keyOf(account), () => newSource(account))

  const mark = (userId: string, quotes: readonly Quote[]): void => {
    const at = timing.now()
    for (const side of [contractsOn(world, userId, 'demo'), contractsOn(world, userId, 'live')]) {
      for (const { contractId, price, time } of quotes) {
        if (!side.byId.has(contractId)) continue
        const known = side.marks.get(contractId)
        if (known === undefined || time === null || known.time <= time) side.marks.set(contractId, { price, time: time ?? known?.time ?? 0, at })
      }
    }
  }

  const closed = (source: Source, why: QuotesEnd, pass: Pass | null = null): void => {
    const now = timing.now()
    // Follow a redirect once; after that treat it as a failure.
    const isRedirected = why === 'wrong-host' && !source.retried
    Object.assign(source, { redirected: isRedirected ? pass : null, retried: isRedirected })
    source.attempt = now - source.readySince >= steadyMs ? 1 : source.attempt + 1
    Object.assign(source, { socket: null, ready: false, readySince: Infinity, notBefore: now + (why === 'asked' || isRedirected ? 0 : pauseBefore(why === 'silence' ? 'silence' : 'network', source.attempt, timing.random())) })
    if (why === 'denied') source.deniedAt = now
    received(source.userId)
  }

  const takeNews = (source: Source, news: QuotesNews, pass: Pass): void => {
    switch (news.kind) {
      case 'ready':
        Object.assign(source, { ready: true, readySince: timing.now(), retried: false })
        break
      case 'quotes':
        mark(source.userId, news.quotes)
        break
      case 'inaccessible':
        source.inaccessible.set(news.contract, timing.now())
        break
      case 'closed':
        closed(source, news.why, pass)
        return
    }
    received(source.userId)
  }

  const passOf = async (login: Login, { environment, redirected, attempt }: Source): Promise<Pass | 'denied' | null> => {
    if (redirected === null && attempt >= 2) await login.checkHost(environment, stopping.signal, 'quotes')
    const pass = await (redirected === null ? login.pass(environment, stopping.signal, 'quotes') : login.passInsteadOf(redirected, environment, stopping.signal, 'quotes'))
    if (!pass.ok) return pass.error.kind === 'not-found' ? 'denied' : null
    return pass.value
  }

  const connect = async (source: Source): Promise<void> => {
    const login = await logins.open(source)
    const pass = 'kind' in login ? null : await passOf(login, source)
    if (stopping.signal.aborted || sources.get(keyOf(source)) !== source) return
    if (pass === null || pass === 'denied') {
      closed(source, pass ?? 'network')
      return
    }
    source.expiresAt = pass.expiresAt
    let own: QuoteSocket | null = null
    const onNews = (news: QuotesNews): void => {
      // Ignore a replaced socket.
      if (source.socket === own) takeNews(source, news, pass)
    }
    own = open({ url: socketUrl(pass.base), token: pass.access, onNews, calls: (count) => world.budgets.get(source.loginId)?.count(performance.now(), count) })
    source.socket = own
    own.want(accessible(source))
  }

  const disconnect = (source: Source): void => {
    const { socket } = source
    Object.assign(source, { socket: null, ready: false, readySince: Infinity })
    socket?.close()
  }

  const keepConnected = (source: Source, now: number): void => {
    if (source.deniedAt !== null && now - source.deniedAt >= deniedMs) source.deniedAt = null
    for (const [contract, at] of source.inaccessible) {
      if (now - at < deniedMs) continue
      // A socket does not request it again.
      source.inaccessible.delete(contract)
      disconnect(source)
    }
    const wanted = accessible(source)
    source.idleSince = wanted.size > 0 ? null : (source.idleSince ?? now)
    if (source.idleSince !== null && now - source.idleSince >= lingerMs) disconnect(source)
    // It is undocumented whether a socket survives its token.
    if (source.socket !== null && wallOf(timing) > source.expiresAt - replacedMs) disconnect(source)
    source.socket?.want(wanted)
    if (source.socket !== null || source.opening || source.deniedAt !== null || wanted.size === 0 || now < source.notBefore) return
    source.opening = true
    connect(source)
      .catch((error: unknown) => {
        log.warn({ error, loginId: source.loginId }, 'opening the quotes socket failed')
        closed(source, 'network')
      })
      .finally(() => {
        source.opening = false
      })
  }

  return {
    /** Subscribes to exactly these accounts' positions and closes unused sockets; call every second and when positions change. */
    look: (watched: Iterable<Account>): void => {
      const now = timing.now()
      const held = new Map<Source, Set<string>>()
      const sides = new Map<Source, Environment>()
      for (const account of watched) {
        const source = sourceOf(account)
        const contracts = getOrInsert(held, source, () => new Set())
        // Live first if a login has both sides.
        if (sides.get(source) !== 'live') sides.set(source, account.environment)
        for (const contract of heldOf(account)) contracts.add(contract)
      }
      for (const [key, source] of sources) {
        const wanted = held.get(source)
        if (wanted === undefined) {
          disconnect(source)
          sources.delete(key)
          continue
        }
        source.wanted = wanted
        source.environment = sides.get(source) ?? source.environment
        keepConnected(source, now)
      }
    },
    pricesOf: (account: Account): PricesNow => {
      const source = sources.get(keyOf(account))
      if (source === undefined) return 'none'
      const { deniedAt, inaccessible, ready } = source
      if (deniedAt !== null || heldOf(account).some((contract) => inaccessible.has(contract))) return 'denied'
      return ready && heldOf(account).length > 0 ? 'live' : 'none'
    },
    /** Reads no price for `ms`: something more urgent is being sent. */
    hush: (ms: number): void => {
      if (sources.size === 0) return
      clearTimeout(hushed)
      for (const { socket } of sources.values()) socket?.pause()
      hushed = setTimeout(() => {
        for (const { socket } of sources.values()) socket?.resume()
      }, ms)
    },
    /** Closes a user's logins after a token change. */
    renew: (userId: string): void => {
      for (const [key, source] of sources) {
        if (source.userId !== userId) continue
        disconnect(source)
        sources.delete(key)
      }
      received(userId)
    },
    stop: (): void => {
      stopping.abort()
      clearTimeout(hushed)
      for (const source of sources.values()) disconnect(source)
      sources.clear()
    },
  }
}
