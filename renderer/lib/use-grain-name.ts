import { useTranslation } from 'react-i18next'

const second = 1_000_000

/** How fine stored prices are, in words: ticks (0), or bars of a width in µs. */
export const useGrainName = (): ((grain: number) => string) => {
  const { t } = useTranslation('prices')
  return (grain) => {
    if (grain === 0) return t('grain.ticks')
    const seconds = grain / second
    if (seconds % 3600 === 0) return t('grain.hours', { count: seconds / 3600 })
    return seconds % 60 === 0 ? t('grain.minutes', { count: seconds / 60 }) : t('grain.seconds', { count: seconds })
  }
}
