import { useFormat } from '#renderer/lib/use-format.ts'
import { useRuleWords } from '#renderer/lib/use-rule-words.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { ReplayAnswer } from '#shared/api/rules.ts'
import { ChevronDown, ChevronRight, CirclePause, OctagonX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { replayRows, type ReplayRow } from './replay-rows.ts'

const shownAtFirst = 30
const columns = ['net', 'balance', 'low', 'floor', 'room'] as const

/** Every day of a replay, newest first, with its breaches; a day expands to all its rules. */
export const ReplayTable = ({ id, answer, currency }: { id: string; answer: ReplayAnswer; currency: string }) => {
  const { t } = useTranslation('rules')
  const [all, setAll] = useState(false)
  const rows = replayRows(answer)
  // The day of the breach must not be among the hidden ones.
  const upTo = Math.max(shownAtFirst, rows.findIndex(({ first }) => first) + 1)
  const shown = all ? rows : rows.slice(0, upTo)
  return (
    <Card title={t('replay.days')} note={t('replay.days-note')} className="overflow-hidden">
      <div className="overflow-x-auto">
        <Table id={id}>
          <caption className="sr-only">{t('replay.days')}</caption>
          <thead>
            <tr>
              <HeaderCell>{t('replay.day')}</HeaderCell>
              {columns.map((column) => (
                <HeaderCell key={column} end className="max-xl:pl-0">{t(`replay.column.${column}`)}</HeaderCell>
              ))}
              <HeaderCell>{t('replay.column.rules')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Day key={row.day.tradingDay} row={row} currency={currency} />
            ))}
          </tbody>
        </Table>
      </div>
      {shown.length < rows.length && (
        <div className="border-t border-hairline px-4 py-2">
          <Button variant="ghost" size="sm" onClick={() => { setAll(true) }}>
            {t('replay.all-days', { count: rows.length })}
          </Button>
        </div>
      )}
    </Card>
  )
}

const Day = ({ row: { day, room, broken, first }, currency }: { row: ReplayRow; currency: string }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const words = useRuleWords()
  const [open, setOpen] = useState(false)
  const Arrow = open ? ChevronDown : ChevronRight
  return (
    <>
      <tr className={first ? 'bg-loss-tint' : undefined}>
        <Cell>
          <button type="button" aria-expanded={open} aria-label={t('replay.open-day', { day: format.fullDay(day.tradingDay) })} onClick={() => { setOpen((was) => !was) }} className="-ml-1 inline-flex items-center gap-1 rounded-sm px-1 hover:text-accent">
            <Arrow aria-hidden className="size-3.5 text-faint" />
            {format.fullDay(day.tradingDay)}
          </button>
        </Cell>
        <Cell end className="max-xl:pl-0"><Pnl value={day.net} /></Cell>
        <Cell end className="max-xl:pl-0">{format.money(day.balance)}</Cell>
        <Cell end quiet className="max-xl:pl-0">{format.money(day.low)}</Cell>
        <Cell end quiet className="max-xl:pl-0">{day.drawdownLimit === null ? t('none') : format.money(day.drawdownLimit)}</Cell>
        <Cell end className="max-xl:pl-0">{room === null ? t('none') : <span className={Number(room) <= 0 ? 'text-loss' : undefined}>{format.money(room)}</span>}</Cell>
        <Cell>
          <span className="flex flex-wrap gap-1.5">
            {broken.map(({ rule, state }) => (
              <Badge key={rule} tone={state === 'breached' ? 'loss' : 'warn'}>
                {state === 'breached' ? <OctagonX aria-hidden /> : <CirclePause aria-hidden />}
                {t(state === 'breached' ? 'replay.broken' : 'replay.paused', { rule: words.name(rule) })}
              </Badge>
            ))}
            {first && <span className="sr-only">{t('replay.first')}</span>}
          </span>
        </Cell>
      </tr>
      {open && (
        <tr>
          <td colSpan={columns.length + 2} className="border-b border-hairline bg-raised px-4 py-3 whitespace-normal">
            <div className="grid grid-cols-2 gap-x-6 gap-y-4 xl:grid-cols-4">
              {day.states.map((state) => (
                <RuleBar key={state.rule} state={state} currency={currency} />
              ))}
            </div>
          </td>
        </tr>
      )}
    </>
  )
}
