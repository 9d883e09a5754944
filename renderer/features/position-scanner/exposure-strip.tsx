import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Pnl } from '#renderer/ui/figures.tsx'
import type { PositionsLive } from '#shared/api/positions.ts'
import { ArrowLeftRight } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpenSum } from './grouping.ts'
import { useWeakness } from './use-weakness.ts'

/** Total open P&L over all accounts, with its limitations at `now` (UTC ms), and the net exposure of each market in micro contracts; `dim` if it may be out of date. */
export const ExposureStrip = memo(({ open, exposure, now, dim }: { open: readonly OpenSum[]; exposure: PositionsLive['exposure']; now: number; dim: boolean }) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  const weakness = useWeakness()
  return (
    // Many markets are beside each other and scroll sideways, except in a narrow window or at high zoom.
    <section aria-label={t('exposure')} tabIndex={0} className="flex shrink-0 gap-px overflow-x-auto max-xl:flex-wrap rounded-lg border border-line bg-hairline">
      {open.map((sum) => (
        <Figure key={sum.currency} name={t('open-in', { currency: format.currencyName(sum.currency) })} note={weakness(sum, now) ?? t('all-accounts')} grow={exposure.length === 0}>
          <Pnl value={sum.amount} className={classNames('text-headline', dim && 'text-faint!')} />
        </Figure>
      ))}
      {exposure.map((market) => (
        <Market key={market.market} {...market} dim={dim} />
      ))}
    </section>
  )
})
ExposureStrip.displayName = 'ExposureStrip'

const Market = ({ market, net, long, short, accounts, dim }: PositionsLive['exposure'][number] & { dim: boolean }) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  const whole = Math.round
  return (
    <Figure name={market} note={t('accounts', { count: accounts })} grow>
      <span className={classNames('text-figure', dim && 'text-faint')}>{format.signedWhole(whole(net))}</span>
      {long !== 0 && short !== 0 ? (
        <span className="inline-flex items-center gap-1 text-sm font-medium text-warn">
          <ArrowLeftRight aria-hidden className="size-3.5" />
          {t('opposite', { long: format.count(whole(long)), short: format.count(whole(Math.abs(short))) })}
        </span>
      ) : (
        <span className="text-sm font-normal text-faint">{t('micros', { count: Math.abs(whole(net)) })}</span>
      )}
    </Figure>
  )
}

const Figure = ({ name, note, grow, children }: { name: string; note: string; grow: boolean; children: ReactNode }) => (
  <div className={classNames('min-w-38 shrink-0 bg-surface px-4 py-2.5', grow && 'grow')}>
    <div className="flex items-baseline justify-between gap-3 text-sm whitespace-nowrap">
      <span className="text-muted">{name}</span>
      <span className="text-xs text-faint">{note}</span>
    </div>
    {/* An invisible letter of the largest size aligns all baselines. */}
    <div className="flex min-h-8 items-baseline gap-2 font-semibold tracking-[-0.015em] whitespace-nowrap before:-mr-2 before:text-headline before:content-['\200b']">{children}</div>
  </div>
)
