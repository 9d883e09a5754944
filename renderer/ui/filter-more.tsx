import { isEfficiency, useFigureName } from '#renderer/lib/excursion-names.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTyped } from '#renderer/lib/use-typed.ts'
import { excursionText } from '#shared/api/fields.ts'
import type { FilterChoices } from '#shared/api/statistics.ts'
import { everyTrade, excursionFigures, limitedFigures, type TradeFilter } from '#shared/stats/filter.ts'
import { marketSessions } from '#shared/stats/trade-times.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Input, Label } from './field.tsx'
import { hourEnds } from './filter-chips.tsx'
import { MultiChoice } from './multi-choice.tsx'
import { Segmented, ToggleGrid } from './segmented.tsx'
import { Switch } from './toggles.tsx'

/** The rarer conditions: sides, tags if `tagged`, times, and whether copies count. */
export const FilterMore = ({ filter, tagged, choices, onChange }: { filter: TradeFilter; tagged: boolean; choices: FilterChoices; onChange: (part: Partial<TradeFilter>) => void }) => {
  const { t } = useTranslation('filter')
  const copied = choices.copied === true || choices.accounts.some(({ copyOf }) => copyOf !== null)
  const sides = [{ value: 'long', label: t('side.long') }, { value: 'short', label: t('side.short') }]
  return (
    <div className="flex w-72 flex-col gap-3">
      <Titled title={t('sides')}>
        <MultiChoice label={t('sides')} options={sides} chosen={filter.sides} onChange={(chosen) => { onChange({ sides: chosen.filter((side) => side === 'long' || side === 'short') }) }} />
      </Titled>
      {tagged && <Titled title={t('tags')}>
        {choices.tags.length === 0 ? <p className="text-sm text-faint">{t('no-tags')}</p> : <MultiChoice label={t('tags')} options={choices.tags.map((tag) => ({ value: tag, label: tag }))} chosen={filter.tags} onChange={(tags) => { onChange({ tags }) }} />}
      </Titled>}
      <Times filter={filter} onChange={onChange} />
      {(choices.priced === true || filter.pricedOnly || limitedFigures(filter).length > 0) && <Excursions filter={filter} onChange={onChange} />}
      {(copied || filter.leaderOnly) && (
        <div className="flex items-center gap-2 border-t border-hairline pt-3">
          <Label htmlFor="leader-only" className="grow">{t('leader-only')}</Label>
          <Switch id="leader-only" checked={filter.leaderOnly} onChange={(leaderOnly) => { onChange({ leaderOnly }) }} />
        </div>
      )}
    </div>
  )
}

// Weekdays and hours by the filter's time zone, which is the profile's unless a link sets another.
const Times = ({ filter, onChange }: { filter: TradeFilter; onChange: (part: Partial<TradeFilter>) => void }) => {
  const { t } = useTranslation('filter')
  const format = useFormat()
  const ofProfile = useSession().session?.timeZone ?? everyTrade.zone
  const zone = filter.weekdays.length + filter.hours.length > 0 ? filter.zone : ofProfile
  const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: String(hour).padStart(2, '0'), name: t('hour', hourEnds(hour)) }))
  const weekdays = Array.from({ length: 7 }, (_, day) => ({ value: day + 1, label: format.shortWeekday(day + 1) }))
  return (
    <>
      <Titled title={t('weekdays')}>
        <ToggleGrid label={t('weekdays')} columns={7} values={filter.weekdays} options={weekdays} onChange={(chosen) => { onChange({ weekdays: chosen, zone }) }} />
      </Titled>
      <Titled title={t('hours-of', { zone })}>
        <ToggleGrid label={t('hours-of', { zone })} columns={8} values={filter.hours} options={hours} onChange={(chosen) => { onChange({ hours: chosen, zone }) }} />
      </Titled>
      <Titled title={t('sessions')}>
        <ToggleGrid label={t('sessions')} columns={4} values={filter.sessions} options={marketSessions.map((value) => ({ value, label: t(`session.${value}`) }))} onChange={(sessions) => { onChange({ sessions }) }} />
      </Titled>
      {filter.weekdays.length + filter.hours.length + filter.sessions.length > 0 && (
        <Segmented label={t('timed-by')} value={filter.timedBy} onChange={(timedBy) => { onChange({ timedBy }) }} options={[{ value: 'entry', label: t('timed.entry') }, { value: 'exit', label: t('timed.exit') }]} />
      )}
    </>
  )
}

const Excursions = ({ filter, onChange }: { filter: TradeFilter; onChange: (part: Partial<TradeFilter>) => void }) => {
  const { t } = useTranslation('filter')
  const figureName = useFigureName()
  const { excursions } = filter
  return (
    <>
      {excursionFigures.map((figure) => (
        <Titled key={figure} title={t(isEfficiency(figure) ? 'efficiency-of' : 'excursion-of', { name: figureName(figure) })}>
          <div className="grid grid-cols-2 gap-2">
            {(['from', 'to'] as const).map((end) => (
              <Amount
                key={end}
                label={t(end === 'from' ? 'at-least' : 'at-most', { name: figureName(figure) })}
                placeholder={t(end === 'from' ? 'least' : 'most')}
                value={excursions[figure][end]}
                onChange={(value) => { onChange({ excursions: { ...excursions, [figure]: { ...excursions[figure], [end]: value } } }) }}
              />
            ))}
          </div>
        </Titled>
      ))}
      <div className="flex items-center gap-2 border-t border-hairline pt-3">
        <Label htmlFor="priced-only" className="grow">{t('priced-only')}</Label>
        <Switch id="priced-only" checked={filter.pricedOnly} onChange={(pricedOnly) => { onChange({ pricedOnly }) }} />
      </div>
    </>
  )
}

const Amount = ({ label, placeholder, value, onChange }: { label: string; placeholder: string; value: string | null; onChange: (value: string | null) => void }) => {
  const readable = (text: string): boolean => text === '' || excursionText.safeParse(text).success
  const plain = (text: string): string => text.trim().replaceAll(',', '')
  // At once: the panel may close right behind the last key.
  const [typed, type] = useTyped(value ?? '', (text) => { if (readable(plain(text))) onChange(plain(text) === '' ? null : plain(text)) }, { atOnce: true })
  return <Input inputMode="decimal" aria-label={label} aria-invalid={readable(plain(typed)) ? undefined : true} placeholder={placeholder} value={typed} maxLength={20} onChange={(event) => { type(event.target.value) }} />
}

const Titled = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1">
    <p className="text-sm font-medium text-muted">{title}</p>
    {children}
  </div>
)
