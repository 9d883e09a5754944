import type { Finance } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

/** Gives the name of an account by its id; one that is gone says so, with the broker's number where its id tells it. */
export const useAccountName = (accounts: readonly Finance[]): ((id: string) => string) => {
  const { t } = useTranslation('operational')
  return (id) => accounts.find((account) => account.id === id)?.name ?? t('account-gone', { id: id.slice(id.lastIndexOf(':') + 1) })
}
