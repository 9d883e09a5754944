import { useTranslation } from 'react-i18next'
import { isMappedKind, isPlatformKind, platformNames, type ExportKind } from '#shared/imports/export-kind.ts'

/** Gives the name of a report; those of other platforms are called the same in every language. */
export const useKindName = (): ((kind: ExportKind) => string) => {
  const { t } = useTranslation('import')
  return (kind) => (isPlatformKind(kind) && !isMappedKind(kind) ? platformNames[kind] : t(`kind.${kind}`))
}
