import type { LinkRequest } from '#renderer/lib/link-request.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Button } from './button.tsx'

/** Goes to AutoSync and opens its dialog to connect an account. */
export const AddAccountLink = ({ variant = 'default' }: { variant?: 'default' | 'outline' }) => {
  const { t } = useTranslation('ui')
  return (
    <Button asChild variant={variant}>
      <Link to={paths.autoSync} state={{ asks: 'add-account' } satisfies LinkRequest}>{t('add-account')}</Link>
    </Button>
  )
}

/** Goes to the import of files. */
export const ImportLink = ({ variant = 'default' }: { variant?: 'default' | 'outline' }) => {
  const { t } = useTranslation('ui')
  return (
    <Button asChild variant={variant}>
      <Link to={paths.import}>{t('import-files')}</Link>
    </Button>
  )
}
