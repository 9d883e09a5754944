import { toast } from '#renderer/ui/toast-store.ts'
import { mostDrawings, type Drawing, type DrawnPoint } from '#shared/api/drawings.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { mergedList, sameValue } from '#shared/notes/merge-edit.ts'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TradeForm } from '../trade-saving.ts'
import { candleOf } from './candle-time.ts'
import { isKnownAt, momentIn, movedBy, shapeOf, type ChartSpot, type DrawnPart, type Tool } from './drawn.ts'
import type { PriceChart } from './price-chart.ts'
import { takesKey } from './takes-keys.ts'

type Change = { readonly before: readonly Drawing[]; readonly after: readonly Drawing[]; readonly isMove: boolean }
type Selected = { readonly drawing: Drawing; readonly part: DrawnPart }
/** A note whose text is being typed: a new one at a point, or an existing one. */
type Writing = { readonly point: DrawnPoint; readonly old: Drawing | null; readonly text: string }

const none: readonly Drawing[] = []
const farSteps = 10
// A click may move the pointer a little.
const clickReach = 4
const nextPart: Readonly<Record<DrawnPart, DrawnPart>> = { whole: 'from', from: 'to', to: 'whole' }
const steps: Readonly<Record<string, readonly [candles: number, ticks: number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
const toolKeys: Readonly<Record<string, Tool>> = { h: 'horizontal', t: 'trend', a: 'note' }

const distinct = (drawings: readonly Drawing[]): readonly Drawing[] => drawings.filter((one, place) => drawings.findIndex((other) => sameValue(one, other)) === place)

/** Moves the focus to the chart, where the keys move the drawing. */
export const focusChart = (): void => { document.querySelector<HTMLElement>('[data-takes-keys]')?.focus() }

export type Drawings = ReturnType<typeof useDrawings>

/** Draws in a chart by mouse and by keys, and keeps the drawings with the trade. At `until`, the moment of a replay in µs, those on later candles do not show. */
export const useDrawings = ({ chart, size, form, until }: { chart: PriceChart | null; size: CandleSize; form: Pick<TradeForm, 'editing' | 'change' | 'saveSoon'>; until: number | null }) => {
  const { t } = useTranslation('trade-chart')
  const all = form.editing.draft.own.drawings ?? none
  const now = until ?? Infinity
  const seen = all.filter((one) => isKnownAt(one, now)).length
  // With the same count, the same drawings are known.
  const shown = useMemo(() => all.filter((one) => isKnownAt(one, now)), [all, seen])
  const [tool, setTool] = useState<Tool | null>(null)
  const [spot, setSpot] = useState<ChartSpot | null>(null)
  const [first, setFirst] = useState<DrawnPoint | null>(null)
  const [selected, setSelected] = useState<Selected | null>(null)
  const [dragged, setDragged] = useState<Drawing | null>(null)
  const [writing, setWriting] = useState<Writing | null>(null)
  const [past, setPast] = useState<readonly Change[]>([])
  const isFull = all.length >= mostDrawings
  const current = selected !== null && shown.some((one) => sameValue(one, selected.drawing)) ? selected : null

  const momentOf = (candle: number): number => momentIn(candle, size, now, chart?.candleBehind(candle) ?? null)
  const pointOf = ({ candle, price }: ChartSpot): DrawnPoint => ({ at: momentOf(candle), price })
  /** The moment of the candle `by` candles after that of another moment, or of the next candle with a moment of its own. */
  const momentBeside = (at: number, by: number, on: PriceChart): number => {
    const candle = candleOf(at, size)
    for (let far = by; ; far += Math.sign(by)) {
      const moment = momentOf(on.candleBeside(candle, far))
      if (moment !== at || on.candleBeside(candle, far + Math.sign(by)) === on.candleBeside(candle, far)) return moment
    }
  }
  const put = (drawings: readonly Drawing[]): void => { form.change((draft) => ({ ...draft, own: { ...draft.own, drawings: [...distinct(drawings)] } })) }
  const save = (after: readonly Drawing[], isMove = false): void => {
    put(after)
    // Steps of one move are one change.
    setPast((known) => {
      const last = known.at(-1)
      return isMove && last?.isMove === true && sameValue(last.after, all) ? [...known.slice(0, -1), { ...last, after }] : [...known, { before: all, after, isMove }]
    })
  }
  const replaced = (old: Drawing, drawing: Drawing): readonly Drawing[] => all.map((one) => (sameValue(one, old) ? drawing : one))
  const saveAndSelect = (after: readonly Drawing[], drawing: Drawing, part: DrawnPart = 'whole'): void => {
    save(after)
    form.saveSoon()
    setSelected({ drawing, part })
  }
  const stop = (): void => {
    setTool(null)
    setSpot(null)
    setFirst(null)
    setWriting(null)
  }
  const undo = (): void => {
    const last = past.at(-1)
    if (last === undefined) return
    put(mergedList(last.after, last.before, all))
    form.saveSoon()
    setPast(past.slice(0, -1))
    setSelected(null)
  }
  // The toast stays during further drawing.
  const undoOf = ({ before, after }: Pick<Change, 'before' | 'after'>): void => {
    form.change((draft) => ({ ...draft, own: { ...draft.own, drawings: [...distinct(mergedList(after, before, draft.own.drawings ?? none))] } }))
    form.saveSoon()
    setPast((known) => known.filter((change) => change.after !== after))
  }
  const remove = (drawing: Drawing): void => {
    const after = all.filter((one) => !sameValue(one, drawing))
    save(after)
    form.saveSoon()
    setSelected(null)
    toast({ title: t('drawing.deleted'), action: { label: t('trade-logbook:undo'), run: () => { undoOf({ before: all, after }) } } })
    focusChart()
  }
  const choose = (next: Tool | null): void => {
    stop()
    setSelected(null)
    if (next === null || isFull || chart === null) return
    setTool(next)
    chart.withCandles(() => { setSpot(chart.spotInSight(until !== null)) })
    focusChart()
  }
  const select = (drawing: Drawing, part: DrawnPart = 'whole'): void => {
    stop()
    setSelected({ drawing, part })
  }
  /** Sets the point that is being chosen. */
  const place = (at: ChartSpot): void => {
    const point = pointOf(at)
    if (tool === 'note') {
      setSpot(at)
      setWriting({ point, old: null, text: '' })
    } else if (tool === 'trend' && first === null) {
      setFirst(point)
      setSpot(at)
    } else if (tool !== null) {
      const drawing: Drawing = tool === 'trend' && first !== null ? { kind: 'trend', ...first, to: point } : { kind: 'horizontal', ...point }
      saveAndSelect([...all, drawing], drawing)
      stop()
    }
  }
  const write = (text: string): void => {
    if (writing === null || text.trim() === '') return
    const drawing: Drawing = { kind: 'note', at: writing.point.at, price: writing.point.price, text: text.trim() }
    saveAndSelect(writing.old === null ? [...all, drawing] : replaced(writing.old, drawing), drawing)
    stop()
    focusChart()
  }
  const edit = (drawing: Drawing): void => {
    if (drawing.kind === 'note') setWriting({ point: { at: drawing.at, price: drawing.price }, old: drawing, text: drawing.text })
  }
  const shifted = (drawing: Drawing, part: DrawnPart, candles: number, ticks: number): Drawing =>
    movedBy(drawing, part, ({ at, price }) => ({ at: candles === 0 || chart === null ? at : momentBeside(at, candles, chart), price: price + ticks }))

  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (chart === null || event.defaultPrevented || event.altKey || !(event.target instanceof Element) || takesKey(event.target, event.key)) return
    const isOnChart = event.target === document.body || event.target.closest('[data-takes-keys]') !== null
    const act = actOf(event, isOnChart)
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    act()
  })
  const actOf = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, isOnChart: boolean): (() => void) | null => {
    if (ctrlKey || metaKey) return key.toLowerCase() === 'z' && !shiftKey && past.length > 0 ? undo : null
    const chosen = toolKeys[key.toLowerCase()]
    if (chosen !== undefined) return () => { choose(chosen) }
    if (key.toLowerCase() === 'd' && shown.length > 0) return () => {
      const next = shown[(shown.findIndex((one) => sameValue(one, current?.drawing)) + 1) % shown.length]
      if (next !== undefined) select(next)
      focusChart()
    }
    if (key === 'Escape' && tool !== null) return () => { choose(null) }
    if (key === 'Escape' && current !== null) return () => { setSelected(null) }
    if (!isOnChart) return null
    const [candles, ticks] = (steps[key] ?? [0, 0]).map((step) => step * (shiftKey ? farSteps : 1)) as [number, number]
    const isStep = candles !== 0 || ticks !== 0
    if (tool !== null && spot !== null) {
      if (isStep) return () => { setSpot({ candle: chart?.candleBeside(spot.candle, candles) ?? spot.candle, price: spot.price + ticks }) }
      return key === 'Enter' ? () => { place(spot) } : null
    }
    if (current === null) return null
    const { drawing, part } = current
    if (isStep) return () => {
      const moved = shifted(drawing, part, candles, ticks)
      save(replaced(drawing, moved), true)
      setSelected({ drawing: moved, part })
    }
    if (key === 'Delete' || key === 'Backspace') return () => { remove(drawing) }
    if (key === 'Enter' && drawing.kind === 'note') return () => { edit(drawing) }
    if (key === 'Enter' && drawing.kind === 'trend') return () => { setSelected({ drawing, part: nextPart[part] }) }
    return null
  }
  useEffect(() => {
    // In the capture phase: the chart pans by the same keys.
    document.addEventListener('keydown', press, true)
    return () => { document.removeEventListener('keydown', press, true) }
  }, [])

  const grasp = useEffectEvent((event: PointerEvent): void => {
    if (chart === null || event.button !== 0) return
    const { left, top } = chart.frame.getBoundingClientRect()
    const placeOf = ({ clientX, clientY }: PointerEvent): readonly [x: number, y: number] => [clientX - left, clientY - top]
    const isNear = (other: PointerEvent): boolean => Math.hypot(other.clientX - event.clientX, other.clientY - event.clientY) <= clickReach
    const [x, y] = placeOf(event)
    const found = tool === null ? chart.drawingAt(x, y) : null
    const drawing = found === null ? undefined : shown[found.index]
    const from = chart.spotAt(x, y)
    let moved: Drawing | null = null
    const move = (other: PointerEvent): void => {
      const to = chart.spotAt(...placeOf(other))
      if (drawing === undefined || found === null || from === null || to === null || (moved === null && isNear(other))) return
      moved = drag(drawing, found.part, from, to)
      setDragged(moved)
    }
    const dragging = new AbortController()
    const end = (other: PointerEvent): void => {
      dragging.abort()
      chart.hold(false)
      setDragged(null)
      letGo(other.type === 'pointerup' && isNear(other) ? from : null, drawing ?? null, moved)
    }
    if (drawing !== undefined && found !== null) {
      chart.hold(true)
      select(drawing, found.part)
    }
    for (const [name, listener] of [['pointermove', move], ['pointerup', end], ['pointercancel', end]] as const) window.addEventListener(name, listener, { signal: dragging.signal })
  })
  const drag = useEffectEvent((drawing: Drawing, part: DrawnPart, from: ChartSpot, to: ChartSpot): Drawing => {
    const candlesOf = (at: number): number => candleOf(at, size)
    return movedBy(drawing, part, ({ at, price }) => ({
      at: to.candle === from.candle ? at : momentOf(chart?.candleBeside(candlesOf(at), chart.candlesBetween(from.candle, to.candle)) ?? candlesOf(at)),
      price: price + to.price - from.price,
    }))
  })
  const letGo = useEffectEvent((clicked: ChartSpot | null, drawing: Drawing | null, moved: Drawing | null): void => {
    if (drawing !== null && moved !== null) saveAndSelect(replaced(drawing, moved), moved, selected?.part)
    else if (tool !== null && clicked !== null) place(clicked)
    else if (drawing === null && clicked !== null) setSelected(null)
  })
  const follow = useEffectEvent((event: PointerEvent): void => {
    if (chart === null || tool === null || writing !== null || event.buttons !== 0) return
    const { left, top } = chart.frame.getBoundingClientRect()
    const at = chart.spotAt(event.clientX - left, event.clientY - top)
    if (at !== null) setSpot(at)
  })
  useEffect(() => {
    const frame = chart?.frame
    if (frame === undefined) return
    frame.addEventListener('pointerdown', grasp, true)
    frame.addEventListener('pointermove', follow)
    return () => {
      frame.removeEventListener('pointerdown', grasp, true)
      frame.removeEventListener('pointermove', follow)
    }
  }, [chart])

  const draft = useMemo((): Drawing | null => (first === null || spot === null ? null : { kind: 'trend', ...first, to: { at: momentIn(spot.candle, size), price: spot.price } }), [first, spot, size])
  useEffect(() => {
    const lookOf = (one: Drawing): 'selected' | 'plain' => (sameValue(one, current?.drawing) ? 'selected' : 'plain')
    chart?.setDrawings([...shown.map((one) => shapeOf(dragged !== null && lookOf(one) === 'selected' ? dragged : one, size, lookOf(one))), ...(draft === null ? [] : [shapeOf(draft, size, 'draft')])], tool === null ? null : spot)
  }, [chart, shown, size, current?.drawing, dragged, draft, tool, spot])

  return {
    shown, tool, isSecond: first !== null, selected: current, writing, isFull, canUndo: past.length > 0,
    /** The point that is being chosen. */
    point: spot === null ? null : pointOf(spot),
    choose, select, remove, edit, write, undo, cancel: () => { stop(); focusChart() },
  }
}
