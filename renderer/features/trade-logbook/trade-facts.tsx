import { useFormat } from '#renderer/lib/use-format.ts'
import { Pnl } from '#renderer/ui/figures.tsx'
import { OtherFees } from '#renderer/ui/other-fees.tsx'
import type { FillPairRecord, TradeRecord } from '#shared/api/records.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type Shown = Pick<FillPairRecord & TradeRecord, keyof FillPairRecord & keyof TradeRecord> & Pick<FillPairRecord, 'platform'>

/** The broker's figures of a trade, which are read-only. */
export const TradeFacts = ({ trade }: { trade: Shown }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2.5 rounded-md border border-hairline bg-raised px-4 py-3 sm:grid-cols-4">
      <Fact name={t('column.net')}>
        <Pnl value={trade.netPnl} className="font-semibold" /> <span className="text-sm text-faint">{trade.currency}</span>
      </Fact>
      <Fact name={t('gross')}>{format.signedMoney(trade.grossPnl)}</Fact>
      <Fact name={t('fees')}>{format.money(trade.commission)}<OtherFees of={trade.otherFees} /></Fact>
      <Fact name={t('column.qty')}>{format.count(trade.qty)}</Fact>
      <Fact name={t('entry-price')}>{format.price(trade.entryPrice)}</Fact>
      <Fact name={t('exit-price')}>{format.price(trade.exitPrice)}</Fact>
      <Fact name={t('entry-time')}>{format.dateTime(trade.entryTime)}</Fact>
      <Fact name={t('exit-time')}>{format.dateTime(trade.exitTime)}</Fact>
      <Fact name={t('column.account')} wraps>
        <span className="proportional-nums">{trade.account}</span>
      </Fact>
      <Fact name={t('platform')}>{trade.platform}</Fact>
    </dl>
  )
}

const Fact = ({ name, wraps = false, children }: { name: string; wraps?: boolean; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-sm text-muted">{name}</dt>
    <dd className={wraps ? 'wrap-anywhere' : 'truncate'}>{children}</dd>
  </div>
)
