import type { TradeChart } from '#shared/api/prices.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { flatStop, orderSegments } from './chart-orders.ts'
import type { PriceChart } from './price-chart.ts'
import { PriceFrame } from './price-frame.tsx'
import { ReplayBar } from './replay-bar.tsx'
import { takesKey } from './takes-keys.ts'
import { useReplayLimits } from './use-replay-limits.ts'
import { useReplay, type ReplayScope } from './use-replay.ts'

type Props = {
  readonly id: string
  /** The account of the trade. */
  readonly account: string
  readonly facts: TradeChart
  readonly size: CandleSize
  readonly stop: number | null
  readonly label: string
  readonly tableId: string
  readonly scope: ReplayScope
  readonly onScope: (scope: ReplayScope) => void
  readonly onNote: (text: string, at: number) => void
  /** The content between the chart, which is null until it is there, and the controls, at a moment in µs. */
  readonly below: (chart: PriceChart | null, until: number) => ReactNode
  /** Must be stable. */
  readonly onChart: (chart: PriceChart | null) => void
}

/** A replay: the chart so far, its figures, and its controls, all of which have keys. */
export const ReplayCandles = ({ id, account, facts, size, stop, label, tableId, scope, onScope, onNote, below, onChart }: Props) => {
  const { t } = useTranslation('trade-chart')
  const [chart, setChart] = useState<PriceChart | null>(null)
  const [takeChart] = useState(() => (made: PriceChart | null): void => {
    setChart(made)
    onChart(made)
  })
  const replay = useReplay({ id, facts, scope, size, chart })
  const limits = useReplayLimits({ id, account, facts, tape: replay.tape, length: replay.loaded.length, step: replay.step })
  const noteField = useRef<HTMLInputElement>(null)
  const moment = replay.tape?.moment(replay.step)
  const began = (moment?.fills ?? 0) > 0
  // Before the entry there was no stop.
  const shownStop = began ? flatStop(facts, stop) : null
  useEffect(() => { chart?.setStop(shownStop, t('planned-stop')) }, [chart, shownStop, t])
  useEffect(() => { chart?.setOrders(moment === undefined ? [] : orderSegments(facts, size, moment.at), { stop: t('stop'), limit: t('limit') }) }, [chart, facts, size, moment?.at, t])

  const keys: Readonly<Record<string, () => void>> = {
    ' ': replay.toggle, ',': () => { replay.tick(-1) }, '.': () => { replay.tick(1) }, b: () => { replay.bar(-1) }, v: () => { replay.bar(1) },
    p: () => { replay.fill(-1) }, n: () => { replay.fill(1) }, Home: replay.toStart, End: replay.toEnd, '[': () => { replay.faster(-1) }, ']': () => { replay.faster(1) },
    m: () => { replay.pause(); noteField.current?.focus() },
  }
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return
    if (takesKey(event.target, event.key)) return
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    // In the capture phase: a group of buttons takes Home and End too.
    document.addEventListener('keydown', press, true)
    return () => { document.removeEventListener('keydown', press, true) }
  }, [])
  return (
    <>
      <PriceFrame tickSize={facts.tickSize} size={size} small={false} live label={label} tableId={tableId} className="min-h-64 grow" autoFocus onChart={takeChart} />
      {below(chart, moment?.at ?? 0)}
      <ReplayBar facts={facts} replay={replay} limits={limits} scope={scope} onScope={onScope} onNote={onNote} noteField={noteField} />
    </>
  )
}
