import { useUnit } from '#renderer/lib/use-trade-filter.ts'
import { useTranslation } from 'react-i18next'
import { Segmented } from './segmented.tsx'

/** The switch between trades and fill pairs, the same on every screen. */
export const UnitSwitch = () => {
  const { t } = useTranslation('ui')
  const [unit, choose] = useUnit()
  return (
    <Segmented
      label={t('unit.label')}
      value={unit}
      onChange={choose}
      options={[
        { value: 'trades', label: t('unit.trades') },
        { value: 'pairs', label: t('unit.pairs') },
      ]}
    />
  )
}
