import { useFormat } from '#renderer/lib/use-format.ts'
import { useTranslation } from 'react-i18next'

type Fees = readonly { readonly currency: string; readonly amount: string }[]

/**
 * Fees in other currencies beside those in a trade's own: listed side by side, because currencies are never added.
 * `tight` shows only a plus in a narrow window, where the words are still read out.
 */
export const OtherFees = ({ of, tight = false }: { of: Fees | undefined; tight?: boolean }) => {
  const { t } = useTranslation('ui')
  const format = useFormat()
  if (of === undefined || of.length === 0) return null
  const words = of.map(({ currency, amount }) => `+ ${format.money(amount)} ${format.currencyName(currency)}`).join(' ')
  return (
    <span className="text-sm text-faint" title={`${t('other-fees')}: ${words}`}>
      {tight && <span aria-hidden className="xl:hidden">+</span>}{' '}
      <span className={tight ? 'max-xl:sr-only' : undefined}>{words}</span>
    </span>
  )
}
