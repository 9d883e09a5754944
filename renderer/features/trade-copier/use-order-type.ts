import { useTranslation } from 'react-i18next'

const known = ['Market', 'Limit', 'Stop', 'StopLimit', 'TrailingStop', 'TrailingStopLimit', 'MIT'] as const

/** Names an order type of the broker; one that has no words here keeps the broker's own. */
export const useOrderType = (): ((type: string) => string) => {
  const { t } = useTranslation('trade-copier')
  return (type) => {
    const name = known.find((one) => one === type)
    return name === undefined ? type : t(`order-type.${name}`)
  }
}
