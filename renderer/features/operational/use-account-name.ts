import type { Finance } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

/** Returns an account's name by its id; a removed one is marked as such, with the broker's number if its id contains it. */
export const useAccountName = (accounts: readonly Finance[]): ((id: string) => string) => {
  const { t } = useTranslation('operational')
  return (id) => accounts.find((account) => account.id === id)?.name ?? t('account-gone', { id: id.slice(id.lastIndexOf(':') + 1) })
}
