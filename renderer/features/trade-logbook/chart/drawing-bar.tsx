import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { longestDrawnNote } from '#shared/api/drawings.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import { formatPrice, type Ticks } from '#shared/money/price.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { MessageSquareText, Minus, TrendingUp, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SaveState } from '../save-state.tsx'
import { blockedBy } from '../trade-editing.ts'
import type { TradeForm } from '../trade-saving.ts'
import { DrawingsTable } from './drawings-table.tsx'
import type { Tool } from './drawn.ts'
import type { PriceChart } from './price-chart.ts'
import { focusChart, useDrawings, type Drawings } from './use-drawings.ts'

type Props = {
  readonly facts: TradeChart
  readonly chart: PriceChart | null
  readonly size: CandleSize
  readonly form: TradeForm
  /** The moment of a replay in µs; null outside of one. */
  readonly until: number | null
}

const tools = [
  { tool: 'horizontal', keys: 'H', Icon: Minus },
  { tool: 'trend', keys: 'T', Icon: TrendingUp },
  { tool: 'note', keys: 'A', Icon: MessageSquareText },
] as const satisfies readonly { readonly tool: Tool; readonly keys: string; readonly Icon: typeof Minus }[]

/** The drawing tools of a chart, their status, and the list of drawings. */
export const DrawingBar = ({ facts, chart, size, form, until }: Props) => {
  const { t } = useTranslation('trade-chart')
  const drawings = useDrawings({ chart, size, form, until })
  const { tool, writing, shown } = drawings
  return (
    <div role="group" aria-label={t('drawing.title')} className="flex flex-col border-t border-hairline px-5 py-1.5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <div className="flex items-center gap-1">
          {tools.map(({ tool: one, keys, Icon }) => (
            <Button
              key={one}
              variant={tool === one ? 'outline' : 'ghost'}
              size="icon"
              disabled={chart === null || drawings.isFull}
              aria-pressed={tool === one}
              aria-label={t(`drawing.kind.${one}`)}
              title={`${t(`drawing.kind.${one}`)} (${keys})`}
              aria-keyshortcuts={keys}
              onClick={() => { drawings.choose(tool === one ? null : one) }}
            >
              <Icon aria-hidden />
            </Button>
          ))}
          <Button variant="ghost" size="icon" disabled={!drawings.canUndo} aria-label={t('drawing.undo')} title={t('drawing.undo')} aria-keyshortcuts="Control+Z" onClick={drawings.undo}>
            <Undo2 aria-hidden />
          </Button>
        </div>
        {writing === null ? <Status facts={facts} drawings={drawings} /> : <NoteText key={JSON.stringify(writing.point)} text={writing.text} onText={drawings.write} onCancel={drawings.cancel} />}
        {(form.failure !== null || blockedBy(form.editing) !== null) && <SaveState form={form} busy={false} />}
      </div>
      {shown.length > 0 && (
        <details>
          <summary className="cursor-pointer py-1 text-sm text-muted hover:text-ink">{t('drawing.count', { count: shown.length })}</summary>
          <div className="max-h-40 overflow-y-auto">
            <DrawingsTable facts={facts} drawings={shown} onSelect={(drawing) => { drawings.select(drawing); focusChart() }} onDelete={drawings.remove} />
          </div>
        </details>
      )}
    </div>
  )
}

/** Says what the keys and the mouse do next. */
const Status = ({ facts, drawings: { tool, isSecond, point, selected, isFull } }: { facts: TradeChart; drawings: Drawings }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const pointText = (at: number, price: number): string => `${format.price(formatPrice(price as Ticks, facts.tickSize))}, ${format.clock(new Date(at).toISOString())}`
  const words = (): string => {
    if (tool !== null && point !== null) return t(tool === 'trend' ? (isSecond ? 'drawing.place-second' : 'drawing.place-first') : 'drawing.place', { kind: t(`drawing.kind.${tool}`), point: pointText(point.at, point.price) })
    if (selected !== null) {
      const { drawing, part } = selected
      const end = drawing.kind === 'trend' && part === 'to' ? drawing.to : drawing
      return t(drawing.kind === 'trend' ? `drawing.selected-trend.${part}` : `drawing.selected.${drawing.kind}`, { point: pointText(end.at, end.price) })
    }
    return isFull ? t('drawing.full') : ''
  }
  return <span role="status" className="text-sm text-muted tabular-nums">{words()}</span>
}

const NoteText = ({ text, onText, onCancel }: { text: string; onText: (text: string) => void; onCancel: () => void }) => {
  const { t } = useTranslation('trade-chart')
  const [typed, setTyped] = useState(text)
  return (
    <form
      className="flex min-w-64 grow items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onText(typed)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onCancel()
      }}
    >
      <Input autoFocus prose maxLength={longestDrawnNote} aria-label={t('drawing.text')} placeholder={t('drawing.text')} value={typed} onChange={({ target }) => { setTyped(target.value) }} className="h-7 max-w-xl grow text-sm" />
      <Button type="submit" variant="outline" size="sm" disabled={typed.trim() === ''}>{t('drawing.save')}</Button>
      <Button variant="ghost" size="sm" onClick={onCancel}>{t('drawing.cancel')}</Button>
    </form>
  )
}
