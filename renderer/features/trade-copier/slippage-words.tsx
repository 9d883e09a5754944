import { Pnl } from '#renderer/ui/figures.tsx'
import { useTranslation } from 'react-i18next'
import { useFigures } from './use-figures.ts'

/** The same money from the trader's view: what was paid more than the leader is a loss. */
const turned = (money: string): string => (money.startsWith('-') ? money.slice(1) : Number(money) === 0 ? money : `-${money}`)

/** A price's distance from the leader's, in ticks with the word better or worse, and in money. */
export const SlippageWords = ({ ticks, money, currency }: { ticks: number; money: string; currency: string }) => {
  const { t } = useTranslation('trade-copier')
  const figures = useFigures()
  const shown = figures.tenths(Math.abs(ticks))
  return (
    <>
      <span className="block">{ticks === 0 ? t('slippage.even') : t(ticks > 0 ? 'slippage.worse' : 'slippage.better', { count: Math.abs(ticks), ticks: shown })}</span>
      <span className="block text-sm">
        <Pnl value={turned(money)} /> <span className="text-faint">{currency}</span>
      </span>
    </>
  )
}
