import type { BookKind } from '#shared/stats/books-filter.ts'
import { useTranslation } from 'react-i18next'

/** Names the kind of an entry. */
export const useKindWords = (): ((kind: BookKind) => string) => {
  const { t } = useTranslation('operational')
  return (kind) => {
    const [type, category] = kind.split('/')
    return category === 'other' ? t(`other.${String(type)}`) : t(`kind.${String(category)}`)
  }
}
