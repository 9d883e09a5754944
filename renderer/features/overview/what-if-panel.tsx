import { apiQuery, apiQuestion } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { toneOf } from '#renderer/lib/format.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { inkOf } from '#renderer/ui/figures.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { priceRoutes } from '#shared/api/prices.ts'
import { filterGiven } from '#shared/api/statistics.ts'
import { leastToBelieve, whatIfRoutes, type RuleInput, type Verdict, type WhatIfAnswer, type WhatIfPart, type WhatIfVariant } from '#shared/api/what-if.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartCandlestick, FlaskConical, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { WhatIfForm } from './what-if-form.tsx'
import { useTriedRules } from './what-if-store.ts'

/** What other exits would have earned on the filtered trades, by stored prices, and how significant that is. */
export const WhatIfPanel = () => {
  const { t } = useTranslation('what-if')
  const { filter } = useTradeFilter()
  const { rules, terms } = useTriedRules()
  const { data: stored } = useQuery(apiQuery(priceRoutes.prices))
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...apiQuestion(whatIfRoutes.whatIf, { body: { ...terms, filter: filterGiven(filter), rules: [...rules] } }),
    enabled: rules.length > 0,
    placeholderData: keepPreviousData,
  })
  if (stored?.series.length === 0) return <NoPrices />
  const isOfOthers = isPlaceholderData && data?.variants.length !== rules.length
  return (
    <>
      <WhatIfForm busy={isFetching && rules.length > 0} />
      {rules.length === 0 ? (
        <EmptyState Icon={FlaskConical} title={t('none-title')} text={t('none-text')} className="grow" />
      ) : error !== null && data === undefined ? (
        <ErrorState failure={error} onRetry={() => void refetch()} className="grow" />
      ) : data === undefined || isOfOthers ? (
        <Skeleton className="h-40 w-full opacity-50" />
      ) : data.trades === 0 ? (
        <EmptyState Icon={FlaskConical} title={t('no-trades-title')} text={t('no-trades-text')} className="grow" />
      ) : (
        <Results rules={rules} found={data} />
      )}
    </>
  )
}

const NoPrices = () => {
  const { t } = useTranslation('what-if')
  return (
    <EmptyState
      Icon={ChartCandlestick}
      title={t('no-prices-title')}
      text={t('no-prices-text')}
      className="grow"
      action={
        <>
          <Button asChild><Link to={paths.import}>{t('load-prices')}</Link></Button>
          <Button asChild variant="outline"><Link to={`${paths.settings}?section=prices`}>{t('see-prices')}</Link></Button>
        </>
      }
    />
  )
}

const Results = ({ rules, found }: { rules: readonly RuleInput[]; found: WhatIfAnswer }) => {
  const { t } = useTranslation('what-if')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const ruleName = useRuleName()
  const drop = useTriedRules((state) => state.drop)
  const [chosen, choose] = useState(0)
  const place = Math.min(chosen, rules.length - 1)
  const shown = found.variants[place]
  const rule = rules[place]
  const { addedLater, otherCurrency } = found.leftOut
  const left = [
    ...(addedLater > 0 ? [t('left-added', { count: addedLater, shown: format.count(addedLater) })] : []),
    ...(otherCurrency > 0 ? [t('left-currency', { count: otherCurrency, shown: format.count(otherCurrency), currency: found.currency })] : []),
  ]
  return (
    <>
      <Card title={t('variants')} note={t('variants-note', { currency: found.currency })} className="overflow-hidden">
        <ScrollArea label={t('variants')}>
          <Table className="[&_td]:h-auto [&_td]:py-1.5 [&_td]:align-top max-xl:[&_td]:whitespace-normal [&_td:not(:first-child)]:pl-2 [&_th:not(:first-child)]:pl-2">
            <thead>
              <tr>
                <HeaderCell>{t('rule')}</HeaderCell>
                <HeaderCell end>{t('trades')}</HeaderCell>
                <HeaderCell end>{t('gain')}</HeaderCell>
                <HeaderCell end>{t('half-tried')}</HeaderCell>
                <HeaderCell end>{t('half-held')}</HeaderCell>
                <HeaderCell>{t('verdict')}</HeaderCell>
                <HeaderCell unseen>{t('remove-head')}</HeaderCell>
              </tr>
            </thead>
            <tbody>
              {rules.map((one, at) => {
                const variant = found.variants[at]
                if (variant === undefined) return null
                const name = ruleName(one)
                return (
                  <tr key={JSON.stringify(one)} aria-selected={at === place} className={classNames(at === place ? 'bg-accent-tint' : 'hover:bg-raised')}>
                    <Cell className="min-w-36 whitespace-normal! xl:min-w-44">
                      <button type="button" aria-pressed={at === place} onClick={() => { choose(at) }} className="rounded-sm text-left font-medium underline-offset-3 hover:underline">{name}</button>
                    </Cell>
                    <Cell end>
                      <Link to={`${paths.tradeLogbook}${searchOf({ ...filter, pricedOnly: true }, 'trades')}`} className="underline-offset-3 hover:underline" aria-label={t('open-trades', { count: variant.all.trades, shown: format.count(variant.all.trades) })}>{format.count(variant.all.trades)}</Link>
                      <Under>{t('of', { total: format.count(found.trades) })}</Under>
                    </Cell>
                    <Cell end><Gain part={variant.all} /><Under>{t('counts', { better: format.count(variant.all.better), worse: format.count(variant.all.worse) })}</Under></Cell>
                    <Cell end><Gain part={variant.tried} /><Under>{t('of-trades', { count: variant.tried.trades, shown: format.count(variant.tried.trades) })}</Under></Cell>
                    <Cell end><Gain part={variant.held} /><Under>{t('of-trades', { count: variant.held.trades, shown: format.count(variant.held.trades) })}</Under></Cell>
                    <Cell><Badge tone={tones[variant.verdict]}>{t(`verdicts.${variant.verdict}`)}</Badge></Cell>
                    <Cell className="w-10 pr-2"><Button variant="ghost" size="icon" aria-label={t('remove', { name })} onClick={() => { drop(one) }}><X aria-hidden /></Button></Cell>
                  </tr>
                )
              })}
            </tbody>
          </Table>
        </ScrollArea>
        <p className="border-t border-hairline px-4 py-2.5 text-sm text-muted">
          {t('counted', { count: found.variantsTried, shown: format.count(found.variantsTried) })}
          {found.heldFrom !== null && ` ${t('held-from', { day: format.fullDay(found.heldFrom) })}`}
          {left.length > 0 && ` ${left.join(' ')}`}
        </p>
      </Card>
      {shown !== undefined && rule !== undefined && <Detail name={ruleName(rule)} variant={shown} variantsTried={found.variantsTried} currency={found.currency ?? ''} />}
    </>
  )
}

const tones = { gain: 'gain', loss: 'loss', 'not-held': 'warn', possible: 'warn', none: 'quiet', 'too-little': 'quiet', 'too-many': 'warn' } as const satisfies Record<Verdict, string>

const Under = ({ children }: { children: string }) => <span className="block text-sm whitespace-nowrap text-muted">{children}</span>

/** A gain is colored where all of its range is on one side of zero. */
const Gain = ({ part: { gain: { least, most } } }: { part: WhatIfPart }) => {
  const { t } = useTranslation('what-if')
  const format = useFormat()
  const one = least === most
  return <span className={classNames('inline-block max-xl:min-w-20 tabular-nums', toneOf(least) === toneOf(most) ? inkOf(most, 'text-ink') : 'text-ink')}>{one ? format.signedMoney(least) : t('between', { least: format.signedMoney(least), most: format.signedMoney(most) })}</span>
}

const Detail = ({ name, variant, variantsTried, currency }: { name: string; variant: WhatIfVariant; variantsTried: number; currency: string }) => {
  const { t } = useTranslation('what-if')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const { all, verdict, notKnown, noRisk, tags } = variant
  const money = ({ least, most }: WhatIfPart['would']): string => (least === most ? format.fullMoney(least, currency) : t('between', { least: format.fullMoney(least, currency), most: format.fullMoney(most, currency) }))
  return (
    <Card title={name} className="overflow-hidden">
      <div className="flex flex-col gap-1.5 px-4 py-3">
        <p role="status">{t(`says.${verdict}`, { count: variantsTried, tried: format.count(variantsTried), least: format.count(leastToBelieve.trades), days: format.count(leastToBelieve.days) })}</p>
        <p className="text-sm text-muted">
          {t('sums', { was: format.fullMoney(all.was, currency), would: money(all.would) })} {t('each', { better: format.count(all.better), worse: format.count(all.worse), same: format.count(all.same), unclear: format.count(all.unclear) })}
          {notKnown > 0 && ` ${t('not-known', { count: notKnown, shown: format.count(notKnown) })}`}
          {noRisk > 0 && ` ${t('no-risk', { count: noRisk, shown: format.count(noRisk) })}`}
        </p>
      </div>
      {tags.length > 0 && (
        <Table className="border-t border-hairline">
          <caption className="sr-only">{t('by-tag')}</caption>
          <thead>
            <tr>
              <HeaderCell>{t('tag')}</HeaderCell>
              <HeaderCell end>{t('trades')}</HeaderCell>
              <HeaderCell end>{t('was')}</HeaderCell>
              <HeaderCell end>{t('would')}</HeaderCell>
              <HeaderCell end>{t('gain')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {tags.map(({ tag, ...part }) => (
              <tr key={tag} className="hover:bg-raised">
                <Cell className="max-w-60 truncate"><Link to={`${paths.tradeLogbook}${searchOf({ ...filter, tags: [tag], pricedOnly: true }, 'trades')}`} className="underline-offset-3 hover:underline">{tag}</Link></Cell>
                <Cell end>{format.count(part.trades)}</Cell>
                <Cell end quiet>{format.money(part.was)}</Cell>
                <Cell end quiet>{part.would.least === part.would.most ? format.money(part.would.least) : t('between', { least: format.money(part.would.least), most: format.money(part.would.most) })}</Cell>
                <Cell end><Gain part={part} /></Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

/** A rule in words: `Stop 20 ticks · Target 2 R`. */
const useRuleName = (): ((rule: RuleInput) => string) => {
  const { t } = useTranslation('what-if')
  const format = useFormat()
  const far = ({ in: unit, value }: { readonly in: 'ticks' | 'r'; readonly value: number }): string => (unit === 'r' ? t('of-r', { value: format.quantity(value / 100) }) : t('of-ticks', { count: value, shown: format.count(value) }))
  return ({ stop, target, trail, breakEven, minutes, first }) =>
    [
      ...(stop === null ? [] : [t('names.stop', { far: far(stop) })]),
      ...(first === null ? [] : [t('names.first', { far: far(first.at), share: format.wholePercent(first.percent / 100) })]),
      ...(target === null ? [] : [t('names.target', { far: far(target) })]),
      ...(trail === null ? [] : [t('names.trail', { far: far(trail) })]),
      ...(breakEven === null ? [] : [t('names.break-even', { far: far(breakEven) })]),
      ...(minutes === null ? [] : [t('names.minutes', { count: minutes, shown: format.count(minutes) })]),
    ].join(' · ')
}
