import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { linkLooks } from '../link-looks.ts'
import { missingOf, spanOfTrade } from './chart-window.ts'

type Props = { readonly facts: TradeChart; readonly onLeave: (event: MouseEvent) => void }

const Links = ({ onLeave }: Pick<Props, 'onLeave'>) => {
  const { t } = useTranslation('trade-chart')
  return (
    <>
      <Link to={paths.import} onClick={onLeave} className={linkLooks}>{t('excursion.import')}</Link>
      <Link to={`${paths.settings}?section=prices`} onClick={onLeave} className={linkLooks}>{t('stored')}</Link>
    </>
  )
}

/** Says which prices of the trade are missing, and where to load them; nothing if none are. */
export const MissingPrices = ({ facts, onLeave }: Props) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const iso = (ms: number): string => new Date(ms).toISOString()
  const { from, to } = spanOfTrade(facts)
  if (facts.known.length === 0) return <p className="text-muted">{t('no-prices', { contract: facts.contract, span: format.span(iso(from), iso(to)) })}<Links onLeave={onLeave} /></p>
  const missing = missingOf(facts)
  return missing === null ? null : <p className="text-sm text-muted">{t('missing', { span: format.span(iso(missing.from), iso(missing.to)) })}<Links onLeave={onLeave} /></p>
}
