import { z } from 'zod'
import { err, ok, type Result } from '#shared/base/result.ts'
import { barList, type BarAsk, type BarRow, type BarsRead } from '../bars.ts'
import type { BrokerFailure } from '../failure.ts'
import { createPace, type Pace } from '../pace.ts'
import type { BrokerAnswer } from '../port.ts'
import { systemTiming } from '../timing.ts'
import { writeFrame, authorizeId, openWire, type Message } from './open-wire.ts'
import { socketUrl } from './hosts.ts'
import type { Login } from './login.ts'
import { socketTimes } from './socket.ts'

/** Minute bars of a contract by its name, for a span in UTC ms. */
export type ChartAsk = { readonly symbol: string; readonly from: number; readonly to: number }

const minute = 60_000
const hour = 60 * minute
/** The longest time between two packets of the broker. */
const packetMs = 30_000
const mostTickets = 3
const longestPenaltyMs = 120_000
/** Others report a limit of 180 charts an hour; it is undocumented. */
const chartsPerHour = 150

const chartIds = z.object({ historicalId: z.number(), realtimeId: z.number() })
const ticket = z.object({ 'p-ticket': z.string().optional(), 'p-time': z.number().nonnegative().optional(), 'p-captcha': z.boolean().optional() })
const refusal = z.object({ errorText: z.string() })
const packets = z.object({ charts: z.array(z.object({ id: z.number(), eoh: z.boolean().optional(), bars: z.array(z.unknown()).optional() })) })
const bar = z.object({ timestamp: z.iso.datetime({ offset: true }), open: z.number(), high: z.number(), low: z.number(), close: z.number(), upVolume: z.number().default(0), downVolume: z.number().default(0) })

const failureOf = (status: number): BrokerFailure => {
  if (status === 401 || status === 403) return { kind: 'permission-missing' }
  if (status === 404) return { kind: 'not-found' }
  if (status === 421 || (status >= 300 && status < 400)) return { kind: 'wrong-host' }
  if (status === 429) return { kind: 'rate-limited', waitMs: hour }
  return status >= 500 || status === 408 ? { kind: 'unreachable', cause: 'server', status } : { kind: 'refused-by-broker', detail: `http-${String(status)}` }
}

type Deps = { readonly url: string; readonly token: string; readonly signal: AbortSignal; readonly patienceMs?: number }

/** Opens a socket of prices, reads one chart to the end of its history, cancels it, and closes; a contract that is over has no bars. */
export const readChart = ({ symbol, from, to }: ChartAsk, { url, token, signal, patienceMs = packetMs }: Deps): Promise<Result<{ readonly rows: readonly BarRow[]; readonly refused: number }, BrokerFailure>> =>
  new Promise((resolve) => {
    const rows: BarRow[] = []
    let [refused, lastId, chartId, tickets, isOver] = [0, authorizeId, authorizeId, 0, false]
    let ids: z.infer<typeof chartIds> | null = null
    /** What came before the answer that names it. */
    let early: z.infer<typeof packets>['charts'] = []
    let timer: NodeJS.Timeout | undefined

    const end = (result: Result<{ readonly rows: readonly BarRow[]; readonly refused: number }, BrokerFailure>): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      wire.end(true)
      resolve(result)
    }
    const giveUp = (): void => { end(err({ kind: 'aborted' })) }
    const patiently = (ms: number, late: () => void): void => {
      clearTimeout(timer)
      timer = setTimeout(late, ms)
    }
    const tooLate = (): void => { end(err({ kind: 'unreachable', cause: 'timeout', status: null })) }
    const send = (endpoint: string, body: object): number => {
      lastId += 1
      wire.socket.send(writeFrame(endpoint, lastId, JSON.stringify(body)))
      return lastId
    }
    const ask = (more: Record<string, string> = {}): void => {
      chartId = send('md/getChart', {
        symbol,
        chartDescription: { underlyingType: 'MinuteBar', elementSize: 1, elementSizeUnit: 'UnderlyingUnits', withHistogram: false },
        timeRange: { closestTimestamp: new Date(to).toISOString(), asFarAsTimestamp: new Date(from).toISOString() },
        ...more,
      })
      patiently(patienceMs, tooLate)
    }
    const take = (charts: z.infer<typeof packets>['charts']): void => {
      for (const { id, eoh, bars = [] } of charts) {
        if (ids === null || isOver || (id !== ids.historicalId && id !== ids.realtimeId)) continue
        patiently(patienceMs, tooLate)
        for (const one of bars) {
          const { data } = bar.safeParse(one)
          if (data === undefined) refused += 1
          else rows.push({ time: Date.parse(data.timestamp), open: data.open, high: data.high, low: data.low, close: data.close, volume: data.upVolume + data.downVolume })
        }
        if (eoh !== true) continue
        send('md/cancelChart', { subscriptionId: ids.realtimeId })
        end(ok({ rows, refused }))
      }
    }
    const answered = (id: number, status: number, data: unknown): void => {
      if (id === authorizeId) {
        if (status === 200) ask()
        else end(err(failureOf(status)))
        return
      }
      if (id !== chartId) return
      if (status !== 200) {
        end(err(failureOf(status)))
        return
      }
      const penalty = ticket.safeParse(data).data
      if (penalty?.['p-captcha'] === true) end(err({ kind: 'captcha', waitMs: hour }))
      else if (penalty?.['p-ticket'] !== undefined) {
        const waitMs = (penalty['p-time'] ?? 0) * 1000
        const given = penalty['p-ticket']
        tickets += 1
        if (tickets > mostTickets || waitMs > longestPenaltyMs) end(err({ kind: 'penalty', waitMs }))
        else patiently(waitMs, () => { ask({ 'p-ticket': given }) })
      } else if (refusal.safeParse(data).success) {
        // An account without the permission hears this of every contract, and one that is over answers with no bars.
        end(err({ kind: 'permission-missing' }))
      } else {
        ids = chartIds.safeParse(data).data ?? null
        if (ids === null) end(err({ kind: 'unreadable-answer' }))
        const before = early
        early = []
        take(before)
      }
    }
    const receive = (messages: readonly Message[]): void => {
      for (const message of messages) {
        if (isOver) return
        if (message.kind === 'answer') answered(message.id, message.status, message.data)
        else if (message.name === 'shutdown') end(err({ kind: 'unreachable', cause: 'network', status: null }))
        else if (message.name === 'chart') {
          const charts = packets.safeParse(message.data).data?.charts ?? []
          if (ids === null) early.push(...charts)
          else take(charts)
        }
      }
    }
    const wire = openWire({
      url,
      token,
      times: socketTimes,
      calls: () => undefined,
      onActivity: () => undefined,
      take: receive,
      lost: (why) => { end(err(typeof why === 'number' ? failureOf(why) : { kind: 'unreachable', cause: why === 'silence' ? 'timeout' : 'network', status: null })) },
    })
    patiently(patienceMs, tooLate)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp)
  })

// A login is opened once, and a run's view of it many times.
const paces = new WeakMap<Login, Pace>()

/** Minute bars of a contract through a login; `permission-missing` if it may not read prices. */
export const tradovateBars = async (login: Login, { contract, tickSize, from, to }: BarAsk, signal: AbortSignal): BrokerAnswer<BarsRead> => {
  const pace = paces.get(login) ?? createPace(systemTiming, chartsPerHour, hour)
  paces.set(login, pace)
  const [first, last] = [Math.floor(from / minute) * minute, Math.ceil(to / minute) * minute]
  let failure: BrokerFailure = { kind: 'permission-missing' }
  for (const side of ['live', 'demo'] as const) {
    if (!(await pace(signal))) return err({ kind: 'aborted' })
    const pass = await login.pass(side, signal, 'quotes')
    // Without a host of prices there are none to read.
    if (!pass.ok) return err(pass.error.kind === 'not-found' ? { kind: 'permission-missing' } : pass.error)
    const chart = await readChart({ symbol: contract, from: first, to: last }, { url: socketUrl(pass.value.base), token: pass.value.access, signal })
    if (chart.ok) {
      const { list, refused } = barList(chart.value.rows, { tickSize, from: first, to: last, widthMs: minute, now: systemTiming.now() })
      if (refused + chart.value.refused > list.at.length) return err({ kind: 'unreadable-answer' })
      return ok({ lists: list.at.length === 0 ? [] : [list], refused: refused + chart.value.refused })
    }
    failure = chart.error
    if (failure.kind !== 'wrong-host') break
  }
  return err(failure)
}
