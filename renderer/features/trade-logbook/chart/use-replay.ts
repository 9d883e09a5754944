import { apiQuery, callApi } from '#renderer/lib/api.ts'
import { priceRoutes, type StepColumns, type TradeChart } from '#shared/api/prices.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { isTickSize, type CandleSize } from '#shared/prices/candles.ts'
import type { ChartPoint } from '#shared/prices/chart-points.ts'
import { createReplayTape, type ReplayPage, type ReplayTape } from '#shared/prices/replay-tape.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { candlePoints } from './candle-points.ts'
import { markedFills, pathOf } from './chart-fills.ts'
import { leadOf, spanOfTrade } from './chart-window.ts'
import type { PriceChart } from './price-chart.ts'

/** What is replayed: the trade with a lead-in, or its session. */
export type ReplayScope = 'trade' | 'session'

/** How many times as fast as the market a replay can run. */
export const speeds = [1, 2, 5, 10, 25, 50, 100] as const
export type Speed = (typeof speeds)[number]

const leadMs = 5 * 60_000
const minuteMs = 60_000
const msToUs = 1000
// The longest pause in real time: after a longer one the next step comes at once.
const mostWaitMs = 3000
// A page that was hidden continues where it was.
const mostFrameMs = 250
const stepsAtOnce = 10_000

// It begins with a whole minute, so that its first candle is whole.
const spanOf = (facts: TradeChart, scope: ReplayScope) => {
  const { session } = facts
  if (scope === 'session') return session
  const { from, to } = spanOfTrade(facts)
  return { from: Math.max(session.from, Math.floor((from - leadMs) / minuteMs) * minuteMs), to: Math.min(session.to, to + leadMs) }
}

/** A page in parts that a frame has time for. */
function* partsOf({ at, close, bars }: StepColumns): Generator<ReplayPage> {
  let [moment, price] = [0, 0]
  for (let from = 0; from < at.length; from += stepsAtOnce) {
    const cut = (column: readonly number[]): number[] => column.slice(from, from + stepsAtOnce)
    const part = { at: cut(at), close: cut(close), bars: bars && { open: cut(bars.open), high: cut(bars.high), low: cut(bars.low) } }
    const sum = (column: readonly number[]): number => column.reduce((total, value) => total + value, 0)
    // A page begins with whole values.
    part.at[0] = (part.at[0] ?? 0) + moment
    part.close[0] = (part.close[0] ?? 0) + price
    ;[moment, price] = [sum(part.at), sum(part.close)]
    yield part
  }
}

export type Replay = ReturnType<typeof useReplay>

/** A replay of a trade's prices in a chart: it loads them page by page, and moves through them. */
export const useReplay = ({ id, facts, scope, size, chart }: { id: string; facts: TradeChart; scope: ReplayScope; size: CandleSize; chart: PriceChart | null }) => {
  const [tape, setTape] = useState<ReplayTape | null>(null)
  const [loaded, setLoaded] = useState({ length: 0, until: 0, whole: false, failure: null as unknown })
  const [step, setStep] = useState(0)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>(10)
  const [tries, setTries] = useState(0)
  const show = useRef<((step: number) => void) | null>(null)
  const span = spanOf(facts, scope)
  // Tick candles are counted from where the replay begins, so none lead up to it.
  const lead = useQuery({ ...apiQuery(priceRoutes.candles, { query: { id, ...leadOf(facts, span.from, isTickSize(size) ? 60 : size), size } }), enabled: !isTickSize(size), staleTime: 60_000 }).data?.candles

  const begin = useEffectEvent((): ReplayTape => {
    const made = createReplayTape(pathOf(facts), facts.tickValue)
    made.setSize(size)
    setTape(made)
    setStep(0)
    setPlaying(false)
    setLoaded({ length: 0, until: span.from * msToUs, whole: false, failure: null })
    return made
  })
  useEffect(() => {
    const made = begin()
    let left = false
    const load = async (): Promise<void> => {
      for (let from: number | null = span.from * msToUs; from !== null;) {
        const { steps }: AnswerOf<typeof priceRoutes.steps> = await callApi(priceRoutes.steps, { query: { id, from, to: span.to } })
        if (left) return
        for (const part of partsOf(steps)) {
          made.append(part)
          // A frame may be due.
          await new Promise((resolve) => { setTimeout(resolve) })
          if (left) return
        }
        from = steps.next
        if (from === null) made.finish()
        setLoaded({ length: made.length, until: from ?? span.to * msToUs, whole: from === null, failure: null })
      }
    }
    load().catch((failure: unknown) => { if (!left) setLoaded((now) => ({ ...now, failure })) })
    return () => { left = true }
  }, [id, scope, span.from, span.to, tries])

  const hasSteps = loaded.length > 0
  const draw = useEffectEvent((): void => { if (hasSteps) show.current?.(step) })
  useEffect(() => {
    if (chart === null || tape === null || !hasSteps) return
    tape.setSize(size)
    show.current = createReplayView(chart, tape, facts, size, lead === undefined ? [] : candlePoints(facts, lead, size))
    draw()
    return () => { show.current = null }
  }, [chart, tape, facts, size, hasSteps, lead])
  useEffect(() => { draw() }, [step])

  const last = Math.max(0, loaded.length - 1)
  const isAtEnd = loaded.whole && step >= last
  const now = useEffectEvent(() => ({ step, speed, last, isWhole: loaded.whole }))
  useEffect(() => {
    if (!playing || tape === null || !hasSteps) return
    let at = now().step
    let clock = tape.momentOf(at)
    let before = performance.now()
    let frame = requestAnimationFrame(function next(time: number) {
      const { step: shown, speed: rate, last: end, isWhole } = now()
      // The user may have moved meanwhile.
      if (shown !== at) [at, clock] = [shown, tape.momentOf(shown)]
      clock += Math.min(Math.max(time - before, 0), mostFrameMs) * msToUs * rate
      before = time
      if (at < end && tape.momentOf(at + 1) - clock > mostWaitMs * msToUs * rate) clock = tape.momentOf(at + 1)
      const reached = Math.min(tape.stepAt(clock), end)
      // Of one moment there may be more steps than one.
      if (reached > at) {
        at = reached
        setStep(reached)
      }
      if (at >= end) {
        clock = tape.momentOf(at)
        if (isWhole) return setPlaying(false)
      }
      frame = requestAnimationFrame(next)
    })
    return () => { cancelAnimationFrame(frame) }
  }, [playing, tape, hasSteps])

  /** Moves to a step; `to` sees the tape and where it is. */
  const go = (to: (tape: ReplayTape, step: number) => number): void => {
    if (tape !== null && hasSteps) setStep(Math.min(Math.max(to(tape, step), 0), last))
  }
  const faster = (by: 1 | -1): void => {
    setSpeed((rate) => speeds[Math.min(Math.max(speeds.indexOf(rate) + by, 0), speeds.length - 1)] ?? rate)
  }
  return {
    tape: hasSteps ? tape : null, loaded, span, step, last, playing, speed, setSpeed, faster,
    retry: (): void => { setTries((count) => count + 1) },
    pause: (): void => { setPlaying(false) },
    toggle: (): void => {
      if (!playing && isAtEnd) setStep(0)
      setPlaying(!playing)
    },
    tick: (by: 1 | -1): void => { go((_, at) => at + by) },
    bar: (by: 1 | -1): void => { go((one, at) => (by === 1 ? one.nextBar(at) : one.previousBar(at))) },
    fill: (by: 1 | -1): void => { go((one, at) => (by === 1 ? one.nextFill(at) : one.previousFill(at))) },
    toStart: (): void => { go(() => 0) },
    toEnd: (): void => { go(() => last) },
    /** Moves to a moment in ms. */
    seek: (ms: number): void => { go((one) => one.stepAt(ms * msToUs)) },
  }
}

// Replacing many candles takes longer than a frame; what is older is a pan away only until the next jump.
const afterJump = 1_200
const mostShown = 4_000
const mostUpdates = 60

/** Shows a replay's steps in a chart, behind the candles of `lead`: what is next by small updates, what is far or before by new candles. */
const createReplayView = (chart: PriceChart, tape: ReplayTape, facts: TradeChart, size: CandleSize, lead: readonly ChartPoint[]) => {
  let first = 0
  let last = -1
  let fills = -1

  const replace = (step: number): void => {
    const points = tape.pointsTo(step, afterJump)
    last = tape.candleOf(step)
    first = last - points.length + 1
    const begins = points[0]?.at ?? 0
    chart.setAll(first > 0 ? points : [...lead.filter(({ at }) => at < begins), ...points])
    chart.toEnd()
  }
  return (step: number): void => {
    const newest = tape.candleOf(step)
    if (newest < last || last < 0 || newest - last > mostUpdates || newest - first > mostShown) replace(step)
    else {
      for (const [index, point] of tape.pointsFrom(last, step).entries()) chart.update(point, index > 0)
      last = newest
    }
    const { fills: now, at } = tape.moment(step)
    const others = facts.others.filter((fill) => fill.at * 1000 <= at).length
    if (now + others !== fills) {
      fills = now + others
      chart.setMarks(markedFills(facts, size, at))
    }
  }
}
