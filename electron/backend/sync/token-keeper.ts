import { mergedHosts } from '#shared/sync/api-hosts.ts'
import type { TokenStore } from '../secrets/token-store.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { ApiKey } from '../brokers/projectx/client.ts'
import { projectxFirms, type ProjectxFirm, type ProjectxFirmId } from '../brokers/projectx/hosts.ts'
import { createAsk } from '../brokers/tradovate/ask.ts'
import type { TradovateHosts } from '../brokers/tradovate/hosts.ts'
import type { Timing } from '../brokers/timing.ts'
import type { Credentials, RenewalOutcome, Tokens } from '../brokers/tradovate/tokens.ts'
import { createKeyedMutex } from '../mutex.ts'
import { ownApp, type BrokerApp } from './broker-app.ts'

/** Fillbook's application at a brokerage: this computer's own id and secret, or what the cloud has for a user. */
export type Application = Credentials | { readonly ofUser: (userId: string) => BrokerApp }

/** A brokerage that a profile can connect to, and Fillbook's application there. */
export type Brokerage = { readonly hosts: TradovateHosts; readonly application: Application; readonly redirectUri: string }

/** Each answers null while its brokerage is not set up. The demo profile knows only the first, every other profile only the second. */
export type Brokerages = { readonly demo: () => Brokerage | null; readonly real: () => Brokerage | null }

/** A login and its user. */
export type LoginOfUser = { readonly userId: string; readonly loginId: string }

/** The firms on ProjectX and their hosts. */
export type ProjectxFirms = Readonly<Record<ProjectxFirmId, ProjectxFirm>>

/** A key with all that is needed to use it. */
export type OpenedKey = { readonly kind: 'key'; readonly firm: ProjectxFirmId; readonly api: string; readonly hub: string | null; readonly key: ApiKey }

/** A database on this computer that is read in place of a broker, and since when it is connected (UTC ms). */
type OpenedDatabase = { readonly kind: 'database'; readonly file: string; readonly connectedAt: number }

/** The credentials of a login, or what it lacks. */
export type OpenedLogin = OpenedKey | OpenedDatabase | { readonly kind: 'open'; readonly tokens: Tokens; readonly hosts: TradovateHosts } | { readonly kind: 'no-tokens' } | { readonly kind: 'no-brokerage' }

type Deps = {
  readonly store: TokenStore
  readonly journal: JournalCalls
  readonly brokerages: Brokerages
  readonly firms?: ProjectxFirms
  readonly timing: Timing
  /** How long an answer may take. */
  readonly timeoutMs?: number
}

/** The one place that stores, swaps and hands out tokens. */
export type TokenKeeper = ReturnType<typeof createTokenKeeper>

export const createTokenKeeper = ({ store, journal, brokerages, firms = projectxFirms, timing, timeoutMs }: Deps) => {
  const ask = createAsk(timing, timeoutMs)
  /** Runs the work on one login's tokens one after another. */
  const inTurn = createKeyedMutex()
  /** By login, the refresh tokens that were used up here, and their replacements: two threads use one login independently. */
  const swapped = new Map<string, { readonly dead: Set<string>; readonly living: Tokens }>()

  const swap = (loginId: string, dead: string | undefined, living: Tokens): void => {
    const known = swapped.get(loginId)?.dead ?? new Set()
    if (dead !== undefined && dead !== living.refresh) swapped.set(loginId, { dead: known.add(dead), living })
  }

  const brokerageOf = async (userId: string): Promise<Brokerage | null> => {
    const profile = await journal.read.profile({ id: userId })
    if (profile === null) return null
    return profile.demo ? brokerages.demo() : brokerages.real()
  }

  const appOf = (userId: string, { application, hosts }: Brokerage): BrokerApp =>
    'ofUser' in application ? application.ofUser(userId) : ownApp({ ask, timing, hosts, credentials: application })

  const firmIdOf = (text: string): ProjectxFirmId | null => (Object.keys(firms) as ProjectxFirmId[]).find((id) => id === text) ?? null

  const firmOf = async (userId: string, id: ProjectxFirmId): Promise<ProjectxFirm | null> => ((await journal.read.profile({ id: userId }))?.demo === false ? firms[id] : null)

  const found = async (loginId: string): Promise<Tokens | null> => {
    const kept = await store.get(loginId)
    return kept.kind === 'found' ? kept.tokens : null
  }

  return {
    /** Where the profile can connect to; null while that is not set up. */
    brokerageOf,
    /** The application by which a user is known at a brokerage. */
    appOf,
    /** Whether real accounts can be connected, by this user or, with null, by anybody who signs in. */
    isReady: async (userId: string | null): Promise<boolean> => {
      const real = brokerages.real()
      if (real === null) return false
      const profile = userId === null ? null : await journal.read.profile({ id: userId })
      // Without a profile, or with the demo's, there is no user to ask the cloud about.
      return profile === null || profile.demo || appOf(profile.id, real).isThere()
    },
    /** Where a firm on ProjectX answers a user; null for the demo profile, which never meets real accounts. */
    firmOf,
    /** Saves the key of a login on ProjectX; a new one replaces it. */
    keepKey: ({ loginId }: LoginOfUser, firm: ProjectxFirmId, key: ApiKey): Promise<void> => inTurn(loginId, () => store.setKey(loginId, { firm, ...key })),
    open: async ({ userId, loginId }: LoginOfUser): Promise<OpenedLogin> => {
      const kept = await store.getKey(loginId)
      if (kept !== null) {
        const id = firmIdOf(kept.firm)
        const firm = id === null ? null : await firmOf(userId, id)
        return id === null || firm === null ? { kind: 'no-brokerage' } : { kind: 'key', firm: id, api: firm.api, hub: firm.hub, key: { userName: kept.userName, apiKey: kept.apiKey } }
      }
      const database = (await journal.read.logins({ userId })).find(({ id, broker }) => id === loginId && broker === 'ninjatrader')
      if (database !== undefined) return { kind: 'database', file: database.brokerUserId, connectedAt: database.connectedAt }
      const brokerage = await brokerageOf(userId)
      if (brokerage === null) return { kind: 'no-brokerage' }
      const tokens = await found(loginId)
      return tokens === null ? { kind: 'no-tokens' } : { kind: 'open', tokens, hosts: brokerage.hosts }
    },
    /** Saves the tokens of a new consent, which came from `hosts`. Throws if those are not the profile's brokerage: a demo token must never reach a real one's host, or the reverse. */
    keep: async ({ userId, loginId }: LoginOfUser, hosts: TradovateHosts, tokens: Tokens): Promise<void> => {
      const profile = await journal.read.profile({ id: userId })
      if (profile === null) throw new Error('No such profile')
      const own = profile.demo ? brokerages.demo() : brokerages.real()
      const foreign = profile.demo ? brokerages.real() : brokerages.demo()
      if (own === null || !sameOrigins(hosts, own.hosts) || (foreign !== null && sharesOrigin(hosts, foreign.hosts))) {
        throw new Error('Tokens of another brokerage than the profile may hold')
      }
      await inTurn(loginId, async () => {
        const before = await found(loginId)
        swap(loginId, before?.refresh, tokens)
        const named = mergedHosts(before?.hosts, tokens.hosts)
        await store.set(loginId, named === undefined ? tokens : { ...tokens, hosts: named })
      })
    },
    /** Saves renewed tokens, unless a new consent replaced their predecessors meanwhile. */
    replace: ({ loginId }: LoginOfUser, replaced: string, tokens: Tokens): Promise<void> =>
      inTurn(loginId, async () => {
        // The thread that exchanged the refresh token has the only valid one, whatever access token the other thread renewed meanwhile.
        const isLiving = swapped.get(loginId)?.living.access === tokens.access
        if (isLiving || (await found(loginId))?.access === replaced) await store.set(loginId, tokens)
      }),
    /** Swaps a refresh token, one at a time per login, because the old token is dead afterwards. A dead one returns its replacement. */
    refresh: ({ userId, loginId }: LoginOfUser, refreshToken: string): Promise<RenewalOutcome> =>
      inTurn(loginId, async () => {
        const brokerage = await brokerageOf(userId)
        if (brokerage === null) return { kind: 'unreachable', failure: { kind: 'aborted' } }
        const before = swapped.get(loginId)
        if (before?.dead.has(refreshToken) === true) return { kind: 'renewed', tokens: before.living }
        const outcome = await appOf(userId, brokerage).refresh(refreshToken)
        if (outcome.kind === 'renewed' && outcome.tokens.refresh !== undefined) swap(loginId, refreshToken, outcome.tokens)
        return outcome
      }),
    forget: (loginId: string): Promise<void> =>
      inTurn(loginId, () => {
        swapped.delete(loginId)
        return store.remove(loginId)
      }),
  }
}

const originsOf = ({ token, live, demo, reports = {}, quotes }: TradovateHosts): string[] => [...token, live, demo, ...Object.values(reports), ...(quotes === undefined ? [] : [quotes])].map((url) => new URL(url).origin)

const sameOrigins = (one: TradovateHosts, other: TradovateHosts): boolean => originsOf(one).join() === originsOf(other).join()

const sharesOrigin = (one: TradovateHosts, other: TradovateHosts): boolean => {
  const origins = new Set(originsOf(other))
  return originsOf(one).some((origin) => origins.has(origin))
}

/** The keeper's calls as a thread makes them: the main one alone knows secrets. */
export const tokenCalls = (keeper: TokenKeeper) => ({
  open: (login: LoginOfUser) => keeper.open(login),
  refresh: ({ refreshToken, ...login }: LoginOfUser & { readonly refreshToken: string }) => keeper.refresh(login, refreshToken),
  replace: ({ replaced, tokens, ...login }: LoginOfUser & { readonly replaced: string; readonly tokens: Tokens }) => keeper.replace(login, replaced, tokens),
})

/** What a thread asks the keeper of tokens. */
export type TokenCalls = ReturnType<typeof tokenCalls>
