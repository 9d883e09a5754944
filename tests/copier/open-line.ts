import { onTestFinished } from 'vitest'
import { startTestBroker, type TestBroker, type TestBrokerOptions } from '#tests/demo-broker/broker.ts'
import { openLine, type BrokerLine, type LineTimes } from '#backend/copier/engine/line.ts'
import type { LineEvent, LineState } from '#backend/copier/engine/line-reading.ts'
import { openLogin, type Login } from '#backend/brokers/tradovate/login.ts'
import { systemTiming, type Timing } from '#backend/brokers/timing.ts'
import type { RenewalOutcome, Tokens } from '#backend/brokers/tradovate/tokens.ts'
import type { Fact } from '#shared/copier/facts.ts'
import { logIn, refreshTokens } from '../helpers/demo-client.ts'
import { until } from '../helpers/until.ts'

/** The one login of `floorBroker`, and its accounts on the demo side. */
export const TRADER = 'lee.ortiz'

/** A stand-in with three plain simulated accounts and a real one, that ends with the test. */
export const floorBroker = async (options: Partial<TestBrokerOptions> = {}): Promise<TestBroker> => {
  const broker = await startTestBroker({ anchor: '2026-11-20', scenario: { kind: 'floor', logins: [{ name: TRADER, live: 1, demo: 3 }] }, ...options })
  onTestFinished(broker.stop)
  return broker
}

/** A line of a test with all its events and requests. */
export type OpenedLine = {
  readonly line: BrokerLine
  readonly login: Login
  readonly events: LineEvent[]
  readonly calls: () => number
  /** The pauses that the line took before it opened again, in milliseconds. */
  readonly pauses: number[]
  readonly facts: <K extends Fact['kind']>(kind: K, source?: 'socket' | 'snapshot' | 'lists') => Extract<Fact, { kind: K }>[]
  /** The reasons of one state, in their order. */
  readonly whys: (state: LineState) => (string | null)[]
  /** Resolves once the line was up for the nth time. */
  readonly up: (times?: number) => Promise<void>
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** Pauses as long as the line wants, but no longer than 20 ms. */
const hurried = (pauses: number[]): Timing => ({
  ...systemTiming,
  sleep: (ms, signal) => {
    pauses.push(ms)
    return systemTiming.sleep(Math.min(ms, 20), signal)
  },
})

/** Opens a line on the stand-in under a login of its own. */
export const lineTo = async (broker: TestBroker, { times, name = TRADER, livesFor = 4_800_000, hosts }: { times?: LineTimes; name?: string; livesFor?: number; hosts?: Tokens['hosts'] } = {}): Promise<OpenedLine> => {
  const given = await logIn(broker, name)
  const pauses: number[] = []
  const timing = hurried(pauses)
  const asTokens = (answer: typeof given): Tokens => ({ access: answer.access_token, refresh: answer.refresh_token, accessExpiresAt: timing.now() + livesFor, obtainedAt: timing.now() })
  const { consentUrl, tokenUrls, liveApi, demoApi } = broker.origins
  const login = openLogin({
    tokens: { ...asTokens(given), hosts },
    hosts: { authorize: consentUrl, token: tokenUrls, live: liveApi, demo: demoApi },
    timing,
    refresh: async (refreshToken): Promise<RenewalOutcome> => ({ kind: 'renewed', tokens: asTokens(await refreshTokens(broker, refreshToken)) }),
    saveTokens: () => Promise.resolve(),
  })
  const events: LineEvent[] = []
  let calls = 0
  const line = openLine({ loginId: 'login-1', environment: 'demo', login, timing, ...(times === undefined ? {} : { times }), emit: (event) => events.push(event), calls: (count) => { calls += count }, log: quiet })
  onTestFinished(line.stop)
  const states = (state: LineState) => events.filter((event) => event.kind === 'state').filter((event) => event.state === state)
  return {
    line, login, events, pauses,
    calls: () => calls,
    facts: (kind, source) =>
      events.flatMap((event) => (event.kind === 'facts' && (source === undefined || event.source === source) ? event.facts : [])).filter((fact): fact is Extract<Fact, { kind: typeof kind }> => fact.kind === kind),
    whys: (state) => states(state).map(({ why }) => why),
    up: async (count = 1) => void (await until(() => (states('up').length >= count ? true : null), `the line to be up ${String(count)} times`, 30_000)),
  }
}
