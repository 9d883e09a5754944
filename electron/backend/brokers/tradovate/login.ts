import { err, ok, type Result } from '#shared/base/result.ts'
import { mergedHosts } from '#shared/sync/api-hosts.ts'
import { createAsk, isUnreached, type Reply } from './ask.ts'
import type { BrokerFailure } from '../failure.ts'
import type { Environment } from '#shared/sync/plan.ts'
import { baseAt, withApiHosts, type HostName, type TradovateHosts } from './hosts.ts'
import { renewTokens } from './oauth.ts'
import type { Timing } from '../timing.ts'
import { aboutLogin, isAlive, isDue, renewalFailure, type RenewalOutcome, type Tokens } from './tokens.ts'

/** Pause between two tries of a refused renewal: the broker may accept it a little later. */
const refusalPauseMs = 15_000

/** After a failed renewal, a valid token is used for this long before the next try. */
const quietMs = 60_000

const hostNames = {
  api: { live: 'live', demo: 'demo' },
  reports: { live: 'reportingLive', demo: 'reportingDemo' },
  quotes: { live: 'mdLive', demo: 'mdDemo' },
} as const satisfies Record<string, Record<Environment, HostName>>

/** A repeatable read request. */
export type ReadCall = {
  readonly environment: Environment
  /** Uses the side's reporting service instead of its API. */
  readonly service?: 'reports'
  /** Below the base, `/fill/list`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Makes it a POST with this JSON body. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Distinguishes parts of a path with different permissions. */
  readonly what?: string
}

/** Dependencies of a login. */
export type LoginOptions = {
  readonly tokens: Tokens
  readonly hosts: TradovateHosts
  readonly timing: Timing
  /** Swaps a refresh token for new tokens: here with the client secret, or in the cloud that holds it. */
  readonly refresh: (refreshToken: string) => Promise<RenewalOutcome>
  /** Awaited before new tokens are used: the old refresh token is dead by then. */
  readonly saveTokens: (tokens: Tokens) => Promise<void>
  /** The saved tokens: another thread may have renewed them, which invalidates our refresh token. */
  readonly kept?: () => Promise<Tokens | null>
  /** Ends pauses at shutdown. A running renewal is not cut off: its answer would be lost. */
  readonly stop?: AbortSignal
  readonly timeoutMs?: number
}

/** A token and its side's base URL, for orders and sockets. */
export type Pass = { readonly access: string; readonly base: string; /** UTC milliseconds. */ readonly expiresAt: number }

/** A pass's purpose: a side's orders and facts, or its prices (`not-found` if there is no source). */
type Purpose = 'api' | 'quotes'

const failureOf = (outcome: RenewalOutcome | null): BrokerFailure | null => {
  if (outcome === null) return { kind: 'aborted' }
  return outcome.kind === 'renewed' ? null : renewalFailure(outcome)
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

/** One broker login, on both sides. Create one per login and keep it: renewals are serialized within it. */
export type Login = ReturnType<typeof openLogin>

/** A self-renewing login; the journal only reads through it. */
export const openLogin = (options: LoginOptions) => {
  const { timing } = options
  const ask = createAsk(timing, options.timeoutMs)
  const denied = new Set<string>()
  /** Unreachable bases, until the program ends or the usual host refuses to replace them. */
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
    // Held until saved: a temporary disk failure must not cost the login.
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
    // A plain renewal extends the closed session: a new session has to wait for it to end.
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

  /** Replaces an unreachable host by the usual one and refreshes the hosts; false if the network is down or there is no other host. */
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

  /** The usual host redirected the organization: wait for its own. */
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

  /** A closed session and a failing broker answer alike: another path shows whether the session is alive, an anonymous call whether the broker fails. */
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
    // Another organization's reporting host answers a bare 404; a missing reporting service is remembered too.
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
    /** The parsed JSON of a successful answer. */
    read,
    /** The current pass, synchronously; null if its token expired. */
    passNow,
    /** A valid pass, renewed first if due. */
    pass: async (environment: Environment, signal: AbortSignal, purpose: Purpose = 'api'): Promise<Result<Pass, BrokerFailure>> => passAfter(await prepare(signal), environment, purpose),
    /** A new pass for one that was refused or redirected; renews unless that happened since. */
    passInsteadOf,
    /** For a socket that failed to open twice: falls back to the usual host if the organization's own is unreachable. */
    checkHost: async (environment: Environment, signal: AbortSignal, purpose: Purpose = 'api'): Promise<void> => void (await leaveDeadHost(hostNames[purpose][environment], signal)),
    /** Renews the token if it expired or is about to; `null` if nothing was due. */
    renewIfDue: (): Promise<RenewalOutcome | null> => (unsaved !== null || isDue(tokens, timing.now()) ? renew() : Promise.resolve(null)),
    /** Opens a new session after `session-pushed-out`. It closes the oldest other session of the user: only on the user's request or at a scheduled run. */
    reopen: (): Promise<RenewalOutcome> => renew(true),
    /** Resolves when the running renewal, if any, has ended and its tokens are saved; never rejects. */
    settled,
  }
}
