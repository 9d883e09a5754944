import { useTranslation } from 'react-i18next'

/** Names the window after what it shows and the product. */
export const DocumentTitle = ({ shows }: { shows: string }) => {
  const { t } = useTranslation('app')
  return <title>{`${shows} · ${t('title')}`}</title>
}
