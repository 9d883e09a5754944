import { useTranslation } from 'react-i18next'

/** Sets the window's title to its content and the product's name. */
export const DocumentTitle = ({ shows }: { shows: string }) => {
  const { t } = useTranslation('app')
  return <title>{`${shows} · ${t('title')}`}</title>
}
