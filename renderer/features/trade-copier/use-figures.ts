import { languageOf } from '#renderer/i18n/languages.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Formats the copier's figures: positions with their sign, milliseconds, and ticks. */
export const useFigures = () => {
  const { t, i18n } = useTranslation('trade-copier')
  const format = useFormat()
  const tenths = useMemo(() => new Intl.NumberFormat(languageOf(i18n.language).tag, { maximumFractionDigits: 1 }), [i18n.language])
  return {
    ...format,
    /** `+2`, `−1`, `0` contracts. */
    position: (net: number): string => format.signedWhole(net),
    /** `0.84 ms`, `12 ms`, `1.20 s`. */
    ms: (ms: number): string => (ms < 1_000 ? t('ms', { value: ms < 10 ? format.ratio(ms) : format.count(Math.round(ms)) }) : t('seconds', { value: format.ratio(ms / 1_000) })),
    /** `3`, `0.4` for figures that are not negative. */
    tenths: (value: number): string => tenths.format(value),
    /** `0.40 worse`, `1.25 better`, `even` for ticks per contract. */
    ticks: (ticks: number): string => (ticks === 0 ? t('slippage.even') : t(ticks > 0 ? 'slippage.each-worse' : 'slippage.each-better', { ticks: format.ratio(Math.abs(ticks)) })),
  }
}
