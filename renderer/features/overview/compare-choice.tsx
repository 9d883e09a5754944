import { apiQuery } from '#renderer/lib/api.ts'
import { datesOf, periodPresets } from '#renderer/lib/date-presets.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { firstDay, lastDay } from '#renderer/ui/day-input.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { MultiChoice, type Choice } from '#renderer/ui/multi-choice.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { statisticsRoutes, type FilterChoices } from '#shared/api/statistics.ts'
import { latestTradingDay } from '#shared/market/session.ts'
import { mostSides, readPeriod, sideKinds, writePeriod, type SideKind } from '#shared/stats/sides.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Compared } from './compare-address.ts'
import { SideMark } from './compare-mark.tsx'
import { letters, useSideName, type ChangeCompared } from './use-compared.ts'

const none: FilterChoices = { accounts: [], symbols: [], tags: [] }

/** Chooses what is compared, and its sides in their order; the first is the one that the others are compared with. */
export const CompareChoice = ({ compared, onChange }: { compared: Compared; onChange: ChangeCompared }) => {
  const { t } = useTranslation('compare')
  const name = useSideName()
  const list = useRef<HTMLUListElement>(null)
  const { kind, sides } = compared
  return (
    <Card className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <Segmented label={t('by')} value={kind} onChange={(next) => { onChange({ kind: next }) }} options={sideKinds.map((value) => ({ value, label: t(`kind.${value}`) }))} />
      {sides.length > 0 && (
        <ul ref={list} tabIndex={-1} aria-label={t('sides')} className="flex min-w-0 flex-wrap items-center gap-1.5 outline-none">
          {sides.map((side, at) => (
            <li key={side} className="inline-flex h-7 max-w-64 min-w-0 items-center gap-1.5 rounded-md border border-line bg-raised pl-2 text-sm whitespace-nowrap">
              <SideMark letter={letters[at] ?? 'a'} />
              <span className="min-w-0 font-medium"><CutName name={name(kind, side)} /></span>
              <button
                type="button"
                aria-label={t('remove', { name: name(kind, side) })}
                onClick={() => {
                  // The button goes with its side: the focus stays among the others.
                  list.current?.focus()
                  onChange({ sides: sides.filter((one) => one !== side) })
                }}
                className="grid size-6.5 shrink-0 place-items-center rounded-sm text-faint -outline-offset-2 hover:text-ink"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Popover
        label={t(`add.${kind}`)}
        trigger={
          <Button variant="outline" size="sm">
            <Plus aria-hidden className="text-faint" />
            {t(`add.${kind}`)}
            <ChevronDown aria-hidden className="text-faint" />
          </Button>
        }
      >
        {kind === 'periods' ? <Periods sides={sides} onChange={onChange} /> : <Named kind={kind} sides={sides} onChange={onChange} />}
        <p className="mt-2 text-sm text-faint">{t('full')}</p>
      </Popover>
    </Card>
  )
}

type ComparePart = { readonly sides: readonly string[]; readonly onChange: ChangeCompared }

// Lives as long as the panel is open: all that is ticked meanwhile is one step back.
const Named = ({ kind, sides, onChange }: ComparePart & { readonly kind: Exclude<SideKind, 'periods'> }) => {
  const { t } = useTranslation('compare')
  const stepped = useRef(false)
  const { data: choices = none } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const options = optionsOf(kind, choices, t('filter:no-firm'))
  return (
    <MultiChoice
      label={t(`kind.${kind}`)}
      options={options}
      chosen={sides}
      onChange={(chosen) => {
        onChange({ sides: chosen.slice(0, mostSides) }, { replace: stepped.current })
        stepped.current = true
      }}
    />
  )
}

const optionsOf = (kind: Exclude<SideKind, 'periods'>, { accounts, symbols, tags }: FilterChoices, noFirm: string): Choice[] =>
  kind === 'accounts'
    ? accounts.map(({ key, name, firm }) => ({ value: key, label: name, group: firm ?? noFirm })).toSorted((one, other) => one.group.localeCompare(other.group) || one.label.localeCompare(other.label))
    : (kind === 'tags' ? tags : symbols).map((value) => ({ value, label: value }))

const Periods = ({ sides, onChange }: ComparePart) => {
  const { t } = useTranslation('compare')
  const stepped = useRef(false)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const today = latestTradingDay(Date.now())
  const own = writePeriod(from, to)
  const full = sides.length >= mostSides
  const set = (next: readonly string[]): void => {
    onChange({ sides: next.slice(0, mostSides) }, { replace: stepped.current })
    stepped.current = true
  }
  return (
    <>
      <div role="group" aria-label={t('presets')} className="grid grid-cols-2 gap-1.5">
        {periodPresets.map((preset) => {
          const span = datesOf(preset, today)
          const side = writePeriod(span.from, span.to)
          const on = sides.includes(side)
          return (
            <Button key={preset} variant="ghost" size="sm" aria-pressed={on} disabled={full && !on} onClick={() => { set(on ? sides.filter((one) => one !== side) : [...sides, side]) }} className={on ? 'justify-start border border-accent bg-accent-tint text-ink' : 'justify-start border border-line'}>
              {t(`filter:preset.${preset}`)}
            </Button>
          )
        })}
      </div>
      <form
        className="mt-3 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (readPeriod(own) === null || full) return
          if (!sides.includes(own)) set([...sides, own])
          setFrom('')
          setTo('')
        }}
      >
        <div className="grid grid-cols-2 gap-2">
          <Field label={t('filter:from')}>{(field) => <Input {...field} type="date" min={firstDay} max={lastDay} value={from} onChange={(event) => { setFrom(event.target.value) }} />}</Field>
          <Field label={t('filter:to')}>{(field) => <Input {...field} type="date" min={firstDay} max={lastDay} value={to} onChange={(event) => { setTo(event.target.value) }} />}</Field>
        </div>
        <Button type="submit" variant="outline" size="sm" disabled={readPeriod(own) === null || full}>{t('add-period')}</Button>
      </form>
      <p className="mt-2 text-sm text-faint">{t('filter:dates-note')}</p>
    </>
  )
}
