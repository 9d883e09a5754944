import type { ExpiredAccount } from '#shared/api/records.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { tokenHealthQuery } from '#renderer/lib/token-health.ts'
import { useRemoveAccount } from '#renderer/lib/use-remove-account.ts'
import { Button } from '#renderer/ui/button.tsx'
import { useDialogTurn } from '#renderer/ui/dialog-turns.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

/** Lists accounts whose access ended; confirming hides them from the journal's views. Shows nothing if there are none. */
export const ExpiredDialog = ({ expired }: { expired: readonly ExpiredAccount[] }) => {
  const { t } = useTranslation('expired')
  const client = useQueryClient()
  const health = tokenHealthQuery(useUserId())
  const remove = useRemoveAccount()
  const shown = useDialogTurn(expired.length > 0)

  const acknowledge = async (): Promise<void> => {
    // A running check still includes these accounts.
    await client.cancelQueries({ queryKey: health.queryKey })
    client.setQueryData(health.queryKey, { success: true, needsReauth: false, expiredAccounts: [] })
    await Promise.all(expired.map(({ accountId, tokenDocId }) => remove({ accountId, tokenDocId })))
  }
  return (
    <Dialog open={shown} title={t('title')} description={t('text')} footer={<Button onClick={() => void acknowledge()}>{t('acknowledge')}</Button>}>
      <ul aria-label={t('accounts')} className="flex flex-col divide-y divide-hairline rounded-md border border-line">
        {expired.map((account) => (
          <Expired key={account.accountId} account={account} />
        ))}
      </ul>
      <p className="mt-3 text-sm text-faint">{t('kept')}</p>
    </Dialog>
  )
}

const Expired = ({ account: { accountId, accountName, lastError } }: { account: ExpiredAccount }) => {
  const { t } = useTranslation('expired')
  return (
    <li className="px-3 py-2">
      <p className="font-medium">{accountName || t('unknown')}</p>
      <p className="text-sm break-all text-muted">{t('id', { id: accountId })}</p>
      {lastError && <p className="text-sm text-warn">{t('reason', { reason: lastError })}</p>}
    </li>
  )
}
