import { classNames } from '#renderer/lib/class-names.ts'
import { monogram } from '#renderer/lib/monogram.ts'
import { paths } from '#renderer/lib/paths.ts'
import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge, Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { stageName } from '#renderer/lib/stage-name.ts'
import { StageMark } from '#renderer/ui/stage-menu.tsx'
import type { LivePositionAccount } from '#shared/api/positions.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { OctagonX } from 'lucide-react'
import { memo, type CSSProperties, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { tracksOf, type columnsOf } from './columns.ts'
import { whyNotClosed } from './closing-words.ts'
import { isOld } from './freshness.ts'
import { LivePnl, OpenPnl } from './live-figures.tsx'
import { DeniedMark, LineMark, RestrictedMark } from './marks.tsx'
import { limitsFirst, nearestFirst } from './nearest.ts'

type Props = {
  readonly line: number
  readonly columns: ReturnType<typeof columnsOf>
  readonly account: LivePositionAccount
  readonly openAgeMs: number | null
  readonly dim: boolean
  /** Whether the row is in the tab order. */
  readonly active: boolean
  /** Whether it has no positions. */
  readonly flat: boolean
  readonly measure: (row: HTMLTableRowElement | null) => void
}

const rulesOf = (account: string): string => `${paths.positionScanner}?${new URLSearchParams({ tab: 'rules', account }).toString()}`

/** One account: name, balance, and the distance to each of its limits; without positions, to the two nearest. The table handles clicks and keys. */
export const AccountLine = memo(({ line, columns, account, openAgeMs, dim, active, flat, measure }: Props) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  const words = { t, format }
  const why = whyNotClosed(t, account.account)
  const { tracks, lastShare } = tracksOf(columns)
  const { name, firm, currency, states, balance, open, environment, restricted, prices, from, working = 0 } = account
  const dayPnl = dayPnlOf(account, flat)
  // Between two sessions the broker still shows the last one's.
  const over = account.at !== null && account.dayNetOf < tradingDay(account.at) ? format.day(account.dayNetOf) : null
  // A value computed from an old figure is no newer.
  const rulesDim = dim || isOld(openAgeMs)
  const age = openAgeMs === null ? '' : format.duration(openAgeMs)
  const stage = stageName(account)
  const balanceName = t(from === 'journal' ? 'balance-journal' : 'balance', { currency: format.currencyName(currency) })
  const openName = open?.from === 'snapshot' ? t('snapshot-of', { age }) : age === '' ? t('open-pnl') : t(isOld(openAgeMs) ? 'open-old' : 'open-aged', { age })
  return (
    <tr ref={measure} data-line={line} data-index={line} data-account={account.account} aria-rowindex={line + 2} tabIndex={active ? 0 : -1} className={classNames('-outline-offset-2', !flat && 'bg-raised')}>
      <td colSpan={columns.length} className="border-b border-hairline px-0! py-2">
        <div className="grid items-center" style={{ gridTemplateColumns: tracks }}>
          <div className="flex min-w-0 items-center gap-x-2 pl-4">
            {firm !== null && <Monogram letters={monogram(firm)} />}
            <div className="flex min-w-0 grow flex-wrap items-center gap-x-2 gap-y-1">
              <Link to={rulesOf(account.account)} tabIndex={active ? 0 : -1} title={t('rules-of', { account: name })} className="min-w-0 rounded-sm font-semibold break-all proportional-nums underline-offset-3 hover:underline">
                <span>{name}</span>
              </Link>
              {environment === 'live' && <Badge tone="accent">{t('live')}</Badge>}
              {stage !== null && <StageMark stage={stage} />}
              {working > 0 && <Badge tone="quiet">{t('working', { count: working })}</Badge>}
              {restricted && <RestrictedMark />}
              <LineMark line={account.line} downSince={account.downSince} />
              {prices === 'denied' && account.line === 'up' && !flat && <DeniedMark reachable={active} />}
            </div>
            <Figure title={from === 'journal' ? balanceName : undefined} name={balanceName} className="shrink-0 max-xl:max-w-28 max-[60rem]:hidden">
              <span className={dim ? 'text-faint' : ''}>{balance === null ? t('none') : format.money(balance)}</span>
            </Figure>
            {/* As wide as the column of last prices; the left padding is not part of the 100%. */}
            <span className="shrink-0 pr-2 xl:w-(--last)" style={{ '--last': `calc((100% + 1rem) * ${String(lastShare)})` } as CSSProperties}>
              <Figure name={over === null ? t('day-pnl') : t('day-pnl-of', { day: over })} title={over === null ? t('day-pnl-text') : t('day-pnl-of-text', { day: over })}>{dayPnl === null ? <span className="text-faint">{t('none')}</span> : <LivePnl words={words} value={dayPnl} dim={dim} />}</Figure>
            </span>
          </div>
          {!flat && <Figure name={openName} title={open?.from === 'snapshot' ? t('snapshot-text') : undefined} className="pr-2"><OpenPnl words={words} open={open} ageMs={openAgeMs} dim={dim} bare /></Figure>}
          <div className={classNames('flex items-center justify-end gap-x-4 pr-4', flat && 'col-span-2 pl-4')}>
            {flat && states !== null && (
              <div className="flex min-w-0 grow justify-end gap-x-4 gap-y-1.5 max-xl:flex-col">
                {nearestFirst(states).slice(0, 2).map((state) => (
                  <RuleBar key={state.rule} state={state} currency={currency} compact dim={rulesDim} className="max-w-50 grow basis-0 max-xl:max-w-none max-xl:grow-0 max-xl:basis-auto" />
                ))}
              </div>
            )}
            <Button variant={flat ? 'ghost' : 'outline'} size="sm" className="shrink-0 max-[60rem]:px-1.5" data-act="flatten" tabIndex={active ? 0 : -1} disabled={account.line === 'none' || why !== null} aria-label={t('flatten-of', { account: name })} title={why ?? t('flatten-of', { account: name })}>
              <OctagonX aria-hidden />
              <span className="max-[60rem]:hidden">{t('flatten')}</span>
            </Button>
          </div>
        </div>
        {!flat && states === null && <p className="mt-1 px-4 text-sm text-faint">{t('no-rules')}</p>}
        {!flat && states !== null && (
          <div className="mt-1.5 grid grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))] gap-x-5 gap-y-2 px-4">
            {limitsFirst(states).map((state) => (
              <RuleBar key={state.rule} state={state} currency={currency} compact dim={rulesDim} />
            ))}
          </div>
        )}
      </td>
    </tr>
  )
})
AccountLine.displayName = 'AccountLine'

/** A figure under its name; it ends where its column does, so that changing figures do not push each other. */
const Figure = ({ name, title, className, children }: { name: string; title?: string | undefined; className?: string; children: ReactNode }) => (
  <span title={title} className={classNames('flex min-w-0 flex-col items-end', className)}>
    <span className="max-w-full text-right text-xs text-faint">{name}</span>
    <span className="max-w-full font-medium whitespace-nowrap">{children}</span>
  </span>
)

/** An account's day P&L, like the copier's figure: realized since the session began, plus open P&L; null while a part is unknown. */
export const dayPnlOf = ({ dayRealized, open }: Pick<LivePositionAccount, 'dayRealized' | 'open'>, flat: boolean): string | null => {
  if (dayRealized === null) return null
  if (open !== null) return sumDecimals([dayRealized, open.amount])
  return flat ? dayRealized : null
}
