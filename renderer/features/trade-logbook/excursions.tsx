import { apiQuery } from '#renderer/lib/api.ts'
import { excursionNames, useFigureName } from '#renderer/lib/excursion-names.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { priceRoutes, type TradeExcursions } from '#shared/api/prices.ts'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useBoundsText } from './bounds-text.ts'
import { linkLooks } from './link-looks.ts'
import { Fact } from './source-facts.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { latestExits } from '#shared/prices/latest-exits.ts'

/** The amount that a later exit of the last contracts, at the best price of the next minutes, would have added. */
const BestExit = ({ found: { bestExits, currency } }: { found: TradeExcursions }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const boundsText = useBoundsText()
  const [minutes, setMinutes] = useState<number>(latestExits[1])
  const best = bestExits.find((one) => one.minutes === minutes)
  const { least, most } = best?.ticks ?? { least: null, most: null }
  const ticks = { least: least === null ? null : String(least), most: most === null ? null : String(most) }
  return (
    <Fact name={t('excursion.best-exit')}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{best === undefined ? t('trade-logbook:excursion.unknown') : boundsText(best.amount, (value) => format.fullMoney(value, currency))}</span>
        {best !== undefined && <span className="text-muted">{t('excursion.ticks', { count: best.qty, contracts: format.count(best.qty), ticks: boundsText(ticks, (value) => format.quantity(Number(value))) })}</span>}
        <Segmented label={t('excursion.best-exit-within')} value={String(minutes)} onChange={(value) => { setMinutes(Number(value)) }} options={latestExits.map((one) => ({ value: String(one), label: t('excursion.minutes', { minutes: format.count(one) }) }))} />
      </span>
    </Fact>
  )
}

type Bounds = TradeExcursions['drawdown']

const secondMs = 1000

/** The excursions of a trade by the stored prices: figures, or bounds where the prices leave them open. */
export const Excursions = ({ id, onLeave }: { id: string; /** Called when a link leads away. */ onLeave: (event: MouseEvent) => void }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const { data, isPending, error } = useQuery(apiQuery(priceRoutes.excursions, { query: { id } }))
  const boundsText = useBoundsText()
  const figureName = useFigureName()
  const problem = useProblemText()
  if (isPending) return null
  if (error !== null) return <Notice tone="error">{problem(error)}</Notice>
  const found = data?.excursions ?? null
  const stated = data?.stated ?? null

  const money = (currency: string) => (value: string): string => format.fullMoney(value, currency)
  const share = (value: string): string => format.percent(Number(value))
  const multiple = (value: string): string => t('excursion.r', { r: format.ratio(Number(value)) })
  const after = (span: TradeExcursions['toMfe']): string | null => {
    if (span === null) return null
    // Nobody reads tenths of a second here.
    const [from, to] = span.to - span.from < secondMs ? [(span.from + span.to) / 2] : [span.from, span.to]
    return t('excursion.after', { time: to === undefined ? format.duration(from) : t('excursion.between', { least: format.duration(from), most: format.duration(to) }) })
  }
  const ratio = (name: string, bounds: Bounds | null) => <Fact name={name}>{bounds === null ? t('none') : boundsText(bounds, share)}</Fact>
  const extreme = (name: 'mfe' | 'mae', { amount, ticks, perContract, r }: TradeExcursions['mfe'], currency: string, span: TradeExcursions['toMfe']) => (
    <Fact name={<abbr title={t(`trade-chart:excursion.${name}-long`)} className="no-underline">{excursionNames[name]}</abbr>}>
      <span className="font-medium">{boundsText(amount, money(currency))}</span>
      {r !== null && <span className="ml-2 text-muted">{boundsText(r, multiple)}</span>}
      {after(span) !== null && <span className="ml-2 text-muted">{after(span)}</span>}
      <span className="block text-sm text-muted">{t('trade-chart:excursion.each', { ticks: boundsText(ticks, (value) => format.quantity(Number(value))), amount: boundsText(perContract, money(currency)) })}</span>
    </Fact>
  )
  const statement = (name: 'mfe' | 'mae') => {
    const figure = stated?.[name] ?? null
    if (stated === null || figure === null) return null
    const { amount, within } = figure
    return (
      <Fact name={t(`trade-chart:excursion.stated-${stated.by}`, { name: excursionNames[name] })}>
        {format.fullMoney(amount, stated.currency)}
        {within !== null && <span className={within ? 'ml-2 text-muted' : 'ml-2 text-warn'}>{t(within ? 'trade-chart:excursion.within' : 'trade-chart:excursion.outside')}</span>}
      </Fact>
    )
  }
  return (
    <dl aria-label={t('excursion.title')} className="grid items-baseline gap-x-6 gap-y-1 rounded-md border border-hairline px-4 py-3 sm:grid-cols-[auto_1fr]">
      {found === null ? (
        <Fact name={t('excursion.title')}>
          {t('trade-chart:excursion.no-prices')}
          <Link to={paths.import} onClick={onLeave} className={linkLooks}>
            {t('trade-chart:excursion.import')}
          </Link>
        </Fact>
      ) : (
        <>
          {extreme('mfe', found.mfe, found.currency, found.toMfe)}
          {extreme('mae', found.mae, found.currency, found.toMae)}
          <Fact name={t('trade-chart:excursion.drawdown')}>{boundsText(found.drawdown, money(found.currency))}</Fact>
          {Number(found.result) < 0 && found.capture !== null ? <Fact name={t('trade-chart:excursion.capture')}>{t('trade-chart:excursion.captured-none')}</Fact> : ratio(t('trade-chart:excursion.capture'), found.capture)}
          {ratio(figureName('entryEfficiency'), found.entry)}
          {ratio(figureName('exitEfficiency'), found.exit)}
          {ratio(t('trade-chart:excursion.total'), found.total)}
          <BestExit found={found} />
        </>
      )}
      {statement('mfe')}
      {statement('mae')}
    </dl>
  )
}
