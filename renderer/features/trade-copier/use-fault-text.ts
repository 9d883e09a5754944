import { useTranslation } from 'react-i18next'
import type { Fault } from './draft.ts'
import { useAccountNames } from './use-account-names.ts'

/** Gives the words for what is wrong with a group: what it is, and what to do about it. */
export const useFaultText = (): ((fault: Fault) => string) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  return ({ field, code, account, limit }) => (code === 'missing' ? t(`fault.missing-${field}`) : t(`fault.${code}`, { account: account === null ? '' : nameOf(account), limit: limit ?? 0 }))
}
