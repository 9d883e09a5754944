import { err, ok, type Result } from '#shared/base/result.ts'
import { mergedHosts } from '#shared/sync/api-hosts.ts'
import { createAsk, isUnreached, type Reply } from './ask.ts'
import type { BrokerFailure } from './failure.ts'
import { baseAt, withApiHosts, type Environment, type HostName, type TradovateHosts } from './hosts.ts'
import { renewTokens } from './oauth.ts'
import type { Timing } from './timing.ts'
import { aboutLogin, isAlive, isDue, type RenewalOutcome, type Tokens } from './tokens.ts'

/** Between two refusals of one renewal: the broker is known to refuse now and to accept a little later. */
const refusalPauseMs = 15_000

/** After a renewal that brought nothing, a token that still lives is used for this long before the next try. */
const quietMs = 60_000

const hostNames = {
  api: { live: 'live', demo: 'demo' },
  reports: { live: 'reportingLive', demo: 'reportingDemo' },
  quotes: { live: 'mdLive', demo: 'mdDemo' },
} as const satisfies Record<string, Record<Environment, HostName>>

/** One question to the broker that changes nothing there and may be asked again. */
export type ReadCall = {
  readonly environment: Environment
  /** Asks the side's reporting service instead of its API. */
  readonly service?: 'reports'
  /** Below the base, `/fill/list`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Makes it a POST with this JSON body. */
  readonly body?: Readonly<Record<string, unknown>>
  /** What of a path is asked for, where permissions differ within it. */
  readonly what?: string
}

/** What a login needs to stay logged in. */
export type LoginOptions = {
  readonly tokens: Tokens
  readonly hosts: TradovateHosts
  readonly timing: Timing
  /** Swaps a refresh token for new tokens: here with the client secret, or in the cloud that holds it. */
  readonly refresh: (refreshToken: string) => Promise<RenewalOutcome>
  /** Awaited before new tokens are used: the old refresh token is dead by then. */
  readonly saveTokens: (tokens: Tokens) => Promise<void>
  /** The tokens as they are kept now: another thread may have renewed them, and the old refresh token is dead then. */
  readonly kept?: () => Promise<Tokens | null>
  /** Ends pauses when the program stops. A renewal that is under way is not cut off: its answer would be lost. */
  readonly stop?: AbortSignal
  readonly timeoutMs?: number
}

/** What an order or a socket needs of a login: a token, and where its side is. */
export type Pass = { readonly access: string; readonly base: string; /** UTC milliseconds. */ readonly expiresAt: number }

/** What a pass is for: orders and facts of a side, or its prices, where `not-found` says that nobody tells any. */
type Purpose = 'api' | 'quotes'

/** One login of the broker, on both of its sides. Make one per login and keep it: renewals are serialised within it. */
export type Login = {
  /** Asks for a living token if the present one is dead or about to be; `null` where nothing was due. */
  readonly renewIfDue: () => Promise<RenewalOutcome | null>
  /** Opens a new session after `session-pushed-out`. It closes the oldest other session of the user: only on the user's wish or at a scheduled run. */
  readonly reopen: () => Promise<RenewalOutcome>
  /** The parsed JSON of a good answer. */
  readonly read: (call: ReadCall, signal: AbortSignal) => Promise<Result<unknown, BrokerFailure>>
  /** The pass of this moment, without waiting; null where its token is dead. */
  readonly passNow: (environment: Environment, purpose?: Purpose) => Pass | null
  /** A pass that lives, renewed first where that is due. */
  readonly pass: (environment: Environment, signal: AbortSignal, purpose?: Purpose) => Promise<Result<Pass, BrokerFailure>>
  /** Another pass in place of one that the broker refused or sent elsewhere; renews unless that happened since. */
  readonly passInsteadOf: (refused: Pass, environment: Environment, signal: AbortSignal, purpose?: Purpose) => Promise<Result<Pass, BrokerFailure>>
  /** For a socket that could not be opened twice: has the usual host take the place of the organization's own where that one cannot be reached. */
  readonly checkHost: (environment: Environment, signal: AbortSignal, purpose?: Purpose) => Promise<void>
  /** Resolves when the renewal under way, if any, has ended and its tokens are saved; never rejects. */
  readonly settled: () => Promise<void>
}

const failureOf = (outcome: RenewalOutcome | null): BrokerFailure | null => {
  if (outcome === null) return { kind: 'aborted' }
  if (outcome.kind === 'renewed') return null
  return outcome.kind === 'refused' ? { kind: 'login-needed', lastError: outcome.lastError } : outcome.failure
}

const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> => {
  if (signal.aborted) return null
  let giveUp = (): void => undefined
  const aborted = new Promise<null>((resolve) => {
    giveUp = () => { resolve(null) }
    signal.addEventListener('abort', giveUp, { once: true })
  })
  return Promise.race([work, aborted]).finally(() => { signal.removeEventListener('abort', giveUp) })
}

/** Joins tokens and hosts into a login that renews itself; reading through it is all that the journal does. */
export const openLogin = (options: LoginOptions): Login => {
  const { timing } = options
  const ask = createAsk(timing, options.timeoutMs)
  const denied = new Set<string>()
  /** Bases that could not be reached, until the program ends or the usual host refuses to take their place. */
  const dead = new Map<HostName, string>()
  const lookedAt = new Map<HostName, number>()
  let { tokens } = options
  let hosts = withApiHosts(options.hosts, tokens.hosts ?? {})
  let unsaved: Tokens | null = null
  let renewal: { readonly newSession: boolean; readonly outcome: Promise<RenewalOutcome> } | null = null
  let quietUntil = 0

  const settleHosts = (): void => {
    const named = withApiHosts(options.hosts, tokens.hosts ?? {})
    const usual = [...dead].flatMap(([name, base]) => (baseAt(named, name) === base ? [[name, new URL(baseAt(options.hosts, name) ?? base).host]] : []))
    hosts = withApiHosts(options.hosts, { ...tokens.hosts, ...Object.fromEntries(usual) })
  }

  const take = (next: Tokens): void => {
    tokens = next
    settleHosts()
  }

  const adopt = async (given: Tokens): Promise<RenewalOutcome> => {
    const named = mergedHosts(tokens.hosts, given.hosts)
    const next = named === undefined ? given : { ...given, hosts: named }
    // Kept until it is saved: a disk that failed once must not cost the login.
    unsaved = next
    await options.saveTokens(next)
    unsaved = null
    take(next)
    return { kind: 'renewed', tokens }
  }

  const takeKept = async (): Promise<boolean> => {
    const kept = await options.kept?.()
    if (!kept || kept.access === tokens.access) return false
    take(kept)
    return !isDue(kept, timing.now())
  }

  const tryOnce = async (newSession: boolean): Promise<RenewalOutcome> => {
    if (await takeKept()) return { kind: 'renewed', tokens }
    const { refresh } = tokens
    if (refresh !== undefined && (newSession || !isAlive(tokens, timing.now()))) return aboutLogin(await options.refresh(refresh))
    const renewed = aboutLogin(await renewTokens({ ask, timing, hosts, usual: options.hosts }, tokens))
    return renewed.kind === 'refused' && refresh !== undefined ? aboutLogin(await options.refresh(refresh)) : renewed
  }

  const renewNow = async (newSession: boolean): Promise<RenewalOutcome> => {
    if (unsaved !== null) return adopt(unsaved)
    let outcome = await tryOnce(newSession)
    if (outcome.kind === 'refused') {
      try {
        await timing.sleep(refusalPauseMs, options.stop)
      } catch {
        return { kind: 'unreachable', failure: { kind: 'aborted' } }
      }
      outcome = await tryOnce(newSession)
    }
    if (outcome.kind === 'renewed') return outcome.tokens === tokens ? outcome : adopt(outcome.tokens)
    quietUntil = timing.now() + quietMs
    return outcome
  }

  const settled = async (): Promise<void> => void (await renewal?.outcome.catch(() => undefined))

  const renew = async (newSession = false): Promise<RenewalOutcome> => {
    // A plain renewal prolongs the session that was closed: who wants a new one waits for its end.
    while (newSession && renewal?.newSession === false) await settled()
    renewal ??= { newSession, outcome: renewNow(newSession).finally(() => { renewal = null }) }
    return renewal.outcome
  }

  const prepare = async (signal: AbortSignal): Promise<BrokerFailure | null> => {
    const now = timing.now()
    const alive = isAlive(tokens, now)
    if (!isDue(tokens, now) || (alive && now < quietUntil)) return null
    const outcome = await unlessAborted(renew(), signal)
    return alive && outcome !== null ? null : failureOf(outcome)
  }

  const hostOf = ({ environment, service }: ReadCall): HostName => hostNames[service ?? 'api'][environment]

  const baseOf = (call: ReadCall): string | undefined => baseAt(hosts, hostOf(call))

  const baseFor = (environment: Environment, purpose: Purpose): string | undefined => baseAt(hosts, hostNames[purpose][environment])

  const answers = async (base: string, signal: AbortSignal): Promise<boolean> => !isUnreached(await ask({ url: base }, { repeatable: false, signal }))

  /** Puts the usual host in the place of one that cannot be reached, and asks for the hosts of now; false where it is the network that is gone, or there is no other host. */
  const leaveDeadHost = async (name: HostName, signal: AbortSignal): Promise<boolean> => {
    const [base, usual] = [baseAt(hosts, name), baseAt(options.hosts, name)]
    if (base === undefined || usual === undefined || base === usual || timing.now() - (lookedAt.get(name) ?? -Infinity) < quietMs) return false
    lookedAt.set(name, timing.now())
    if ((await answers(base, signal)) || !(await answers(usual, signal)) || signal.aborted) return false
    dead.set(name, base)
    settleHosts()
    await unlessAborted(renew(), signal)
    return true
  }

  /** The usual host sent the organization away: its own is the one to wait for. */
  const takeBack = (name: HostName): void => {
    if (dead.delete(name)) settleHosts()
  }

  const passNow = (environment: Environment, purpose: Purpose = 'api'): Pass | null => {
    const base = baseFor(environment, purpose)
    return base !== undefined && isAlive(tokens, timing.now()) ? { access: tokens.access, base, expiresAt: tokens.accessExpiresAt } : null
  }

  const passAfter = (failure: BrokerFailure | null, environment: Environment, purpose: Purpose): Result<Pass, BrokerFailure> => {
    if (baseFor(environment, purpose) === undefined) return err({ kind: 'not-found' })
    const pass = passNow(environment, purpose)
    return failure !== null ? err(failure) : pass === null ? err({ kind: 'no-tokens' }) : ok(pass)
  }

  const passInsteadOf = async (refused: Pass, environment: Environment, signal: AbortSignal, purpose: Purpose = 'api'): Promise<Result<Pass, BrokerFailure>> => {
    const isSame = tokens.access === refused.access && baseFor(environment, purpose) === refused.base
    const failure = isSame ? failureOf(await unlessAborted(renew(), signal)) : null
    if (baseFor(environment, purpose) === refused.base) takeBack(hostNames[purpose][environment])
    return passAfter(failure, environment, purpose)
  }

  const urlOf = (call: ReadCall): string => {
    const query = new URLSearchParams(call.query).toString()
    return `${baseOf(call) ?? ''}${call.path}${query === '' ? '' : `?${query}`}`
  }

  const send = (call: ReadCall, signal: AbortSignal): Promise<Reply> =>
    ask({ url: urlOf(call), bearer: tokens.access, ...(call.body === undefined ? {} : { json: call.body }) }, { repeatable: true, signal })

  /** A closed session and a broker in trouble answer alike: another path tells whether the session lives, an anonymous call whether all are in trouble. */
  const isPushedOut = async (call: ReadCall, signal: AbortSignal): Promise<boolean> => {
    const anyone = { repeatable: false, signal }
    const other = await ask({ url: urlOf({ environment: call.environment, path: '/user/list' }), bearer: tokens.access }, anyone)
    if (other.kind === 'good' || other.kind === 'denied') return false
    const anonymous = await ask({ url: urlOf(call) }, anyone)
    return anonymous.kind === 'denied'
  }

  const read = async (call: ReadCall, signal: AbortSignal): Promise<Result<unknown, BrokerFailure>> => {
    if (baseOf(call) === undefined) return err({ kind: 'not-found' })
    const unprepared = await prepare(signal)
    if (unprepared !== null) return err(unprepared)
    const place = `${call.service ?? ''} ${call.environment}${call.path} ${call.what ?? ''}`
    const used = tokens
    let reply = await send(call, signal)
    if (isUnreached(reply) && (await leaveDeadHost(hostOf(call), signal))) reply = await send(call, signal)
    // A reporting host of another organization says 404 and nothing more; where there is none at all, that is remembered too.
    const isElsewhere = (): boolean => call.service === 'reports' && reply.kind === 'failed' && reply.failure.kind === 'not-found'
    if (((reply.kind === 'denied' || isElsewhere()) && !denied.has(place)) || reply.kind === 'moved') {
      const unrenewed = tokens === used ? failureOf(await unlessAborted(renew(), signal)) : null
      if (unrenewed !== null) return err(unrenewed)
      reply = await send(call, signal)
      // Remembered, so that a missing permission does not cost a renewal at every run.
      if (reply.kind === 'denied' || isElsewhere()) denied.add(place)
    }
    switch (reply.kind) {
      case 'good':
        return ok(reply.value)
      case 'denied':
        return err({ kind: 'permission-missing' })
      case 'moved':
        takeBack(hostOf(call))
        return err({ kind: 'wrong-host' })
      case 'failed':
        return err(reply.suspect && (await isPushedOut(call, signal)) ? { kind: 'session-pushed-out' } : reply.failure)
    }
  }

  return {
    read,
    passNow,
    pass: async (environment, signal, purpose = 'api') => passAfter(await prepare(signal), environment, purpose),
    passInsteadOf,
    checkHost: async (environment, signal, purpose = 'api') => void (await leaveDeadHost(hostNames[purpose][environment], signal)),
    renewIfDue: () => (unsaved !== null || isDue(tokens, timing.now()) ? renew() : Promise.resolve(null)),
    reopen: () => renew(true),
    settled,
  }
}
