import { useAppearance } from '#renderer/lib/theme.ts'
import { useTranslation } from 'react-i18next'
import aiReportDark from '../../../docs/ai-report-dark.webp'
import aiReportLight from '../../../docs/ai-report-light.webp'
import overviewDark from '../../../docs/overview-dark.webp'
import overviewLight from '../../../docs/overview-light.webp'
import positionScannerDark from '../../../docs/position-scanner-dark.webp'
import positionScannerLight from '../../../docs/position-scanner-light.webp'
import reconciliationDark from '../../../docs/reconciliation-dark.webp'
import reconciliationLight from '../../../docs/reconciliation-light.webp'
import rulesDark from '../../../docs/rules-dark.webp'
import rulesLight from '../../../docs/rules-light.webp'
import tradeCopierDark from '../../../docs/trade-copier-dark.webp'
import tradeCopierLight from '../../../docs/trade-copier-light.webp'

/** A screen of the app on the demo brokerage, in the current theme; its space is reserved, and only the `first` loads immediately. */
export const Picture = ({ name, first = false }: { name: keyof typeof pictures; first?: boolean }) => {
  const { t } = useTranslation('landing')
  const { shown } = useAppearance()
  return (
    <figure>
      <img src={pictures[name][shown]} alt={t(`picture.${name}`)} width={1200} height={750} loading={first ? 'eager' : 'lazy'} decoding="async" className="h-auto w-full rounded-lg border border-line bg-surface" />
    </figure>
  )
}

/** The picture files, which the README shows too, by screen and theme; all are 16:10. */
const pictures = {
  overview: { dark: overviewDark, light: overviewLight },
  reconciliation: { dark: reconciliationDark, light: reconciliationLight },
  'trade-copier': { dark: tradeCopierDark, light: tradeCopierLight },
  'position-scanner': { dark: positionScannerDark, light: positionScannerLight },
  rules: { dark: rulesDark, light: rulesLight },
  'ai-report': { dark: aiReportDark, light: aiReportLight },
} as const
