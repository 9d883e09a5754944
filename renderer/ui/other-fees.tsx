import { useFormat } from '#renderer/lib/use-format.ts'
import { useTranslation } from 'react-i18next'

type Fees = readonly { readonly currency: string; readonly amount: string }[]

/** Fees in other currencies beside those in a trade's own: side by side, since nothing adds them. */
export const OtherFees = ({ of }: { of: Fees | undefined }) => {
  const { t } = useTranslation('ui')
  const format = useFormat()
  if (of === undefined || of.length === 0) return null
  return (
    <span className="text-sm text-faint" title={t('other-fees')}>
      {of.map(({ currency, amount }) => ` + ${format.money(amount)} ${currency}`).join('')}
    </span>
  )
}
