import { useTranslation } from 'react-i18next'

const known = ['Market', 'Limit', 'Stop', 'StopLimit', 'TrailingStop', 'TrailingStopLimit', 'MIT'] as const

/** Names the broker's order type; keeps the broker's own name for one without words here. */
export const useOrderType = (): ((type: string) => string) => {
  const { t } = useTranslation('trade-copier')
  return (type) => {
    const name = known.find((one) => one === type)
    return name === undefined ? type : t(`order-type.${name}`)
  }
}
