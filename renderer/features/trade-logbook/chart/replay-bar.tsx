import { toneOf } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import type { TradeChart } from '#shared/api/prices.ts'
import { exactMoney, addAmounts, type Amount } from '#shared/money/money.ts'
import { formatPrice, type Ticks } from '#shared/money/price.ts'
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, Pause, Play } from 'lucide-react'
import { useMemo, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Figure, ReplayLimitFigures } from './replay-limit-figures.tsx'
import { speeds, type Replay, type ReplayScope, type Speed } from './use-replay.ts'
import type { ReplayLimitsShown } from './use-replay-limits.ts'
import { closedBy, openPnl } from '#shared/prices/position-path.ts'
import { dayPathOf } from './chart-fills.ts'

/** The gross P&L of a trade's account in the session until a moment in µs: closed, and open in the trade's contract at this price. */
const dayPnlOf = (facts: TradeChart): ((at: number, price: Ticks) => Amount) => {
  const path = dayPathOf(facts)
  const closed = closedBy(facts.closed.map(({ at, gross }) => ({ at: at * 1000, gross: gross as Amount })))
  return (at, price) => addAmounts(closed(at), openPnl(path.after(path.countBy(at)), price, facts.tickValue))
}

type Props = {
  readonly facts: TradeChart
  readonly replay: Replay
  readonly limits: ReplayLimitsShown
  readonly scope: ReplayScope
  readonly onScope: (scope: ReplayScope) => void
  /** Takes a note at the replay's moment in UTC ms. */
  readonly onNote: (text: string, at: number) => void
  readonly noteField: RefObject<HTMLInputElement | null>
}

/** The figures of a replay at its moment, and its controls. */
export const ReplayBar = ({ facts, replay, limits, scope, onScope, onNote, noteField }: Props) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const dayPnl = useMemo(() => dayPnlOf(facts), [facts])
  const { tape, step, loaded, span } = replay
  if (loaded.failure !== null) return <ErrorState failure={loaded.failure} onRetry={replay.retry} className="border-t border-line py-4" />
  const moment = tape?.moment(step)
  const now = moment === undefined ? span.from : Math.floor(moment.at / 1000)
  const clock = format.dateTime(new Date(now).toISOString())
  const open = moment === undefined ? '0.00' : exactMoney(moment.pnl)
  const day = moment === undefined ? '0.00' : exactMoney(dayPnl(moment.at, moment.price))
  const share = Math.round((100 * (loaded.until / 1000 - span.from)) / Math.max(1, span.to - span.from))
  return (
    <div role="group" aria-label={t('replay')} className="flex flex-col gap-2.5 border-t border-line bg-surface px-5 pt-3 pb-3.5">
      <div className="flex flex-wrap items-end gap-x-8 gap-y-2">
        <Figure name={t('open-pnl')} large tone={toneOf(open)}>{format.signedMoney(open)}</Figure>
        <Figure name={t('day-pnl')} tone={toneOf(day)}>{format.signedMoney(day)}</Figure>
        <ReplayLimitFigures shown={limits} />
        <Figure name={t('position')}>{format.signedWhole(moment?.held.qty ?? 0)}</Figure>
        <Figure name={t('price')}>{moment === undefined ? t('trade-logbook:none') : format.price(formatPrice(moment.price, facts.tickSize))}</Figure>
        <Figure name={t('time')}>{clock}</Figure>
        <span className="ml-auto text-sm text-muted">{loaded.whole ? t('steps', { count: loaded.length, steps: format.count(loaded.length) }) : t('loading', { share: format.wholePercent(share / 100) })}</span>
      </div>
      <input
        type="range"
        aria-label={t('seek')}
        aria-valuetext={clock}
        min={span.from}
        max={span.to}
        step={1000}
        value={now}
        disabled={tape === null}
        onChange={({ target }) => { replay.seek(Number(target.value)) }}
        className="h-4 w-full accent-accent"
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex items-center gap-1">
          <Step name={t('previous-fill')} keys="P" Icon={ChevronFirst} onClick={() => { replay.fill(-1) }} />
          <Step name={t('previous-bar')} keys="B" Icon={ChevronsLeft} onClick={() => { replay.bar(-1) }} />
          <Step name={t('previous-tick')} keys="," Icon={ChevronLeft} onClick={() => { replay.tick(-1) }} />
          <Button size="icon" disabled={tape === null} aria-label={replay.playing ? t('pause') : t('play')} aria-keyshortcuts="Space" onClick={replay.toggle}>
            {replay.playing ? <Pause aria-hidden /> : <Play aria-hidden />}
          </Button>
          <Step name={t('next-tick')} keys="." Icon={ChevronRight} onClick={() => { replay.tick(1) }} />
          <Step name={t('next-bar')} keys="V" Icon={ChevronsRight} onClick={() => { replay.bar(1) }} />
          <Step name={t('next-fill')} keys="N" Icon={ChevronLast} onClick={() => { replay.fill(1) }} />
        </div>
        <Select aria-label={t('speed')} value={String(replay.speed)} onChange={(value) => { replay.setSpeed(Number(value) as Speed) }} options={speeds.map((speed) => ({ value: String(speed), label: `${String(speed)}×` }))} className="h-7 text-sm" />
        <Segmented label={t('scope')} value={scope} onChange={onScope} options={[{ value: 'trade', label: t('scope-trade') }, { value: 'session', label: t('scope-session') }]} />
        <Note key={facts.contract} field={noteField} onNote={(text) => { onNote(text, now) }} />
      </div>
    </div>
  )
}

const Step = ({ name, keys, Icon, onClick }: { name: string; keys: string; Icon: typeof Play; onClick: () => void }) => (
  <Button variant="ghost" size="icon" aria-label={name} title={`${name} (${keys})`} aria-keyshortcuts={keys} onClick={onClick}>
    <Icon aria-hidden />
  </Button>
)

const Note = ({ field, onNote }: { field: RefObject<HTMLInputElement | null>; onNote: (text: string) => void }) => {
  const { t } = useTranslation('trade-chart')
  const [text, setText] = useState('')
  return (
    <form
      className="flex min-w-64 grow items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') return
        onNote(text.trim())
        setText('')
      }}
    >
      <Input ref={field} prose maxLength={500} aria-label={t('note')} placeholder={t('note-placeholder')} value={text} onChange={({ target }) => { setText(target.value) }} className="h-7 grow text-sm" />
      <Button type="submit" variant="outline" size="sm">{t('add-note')}</Button>
    </form>
  )
}
