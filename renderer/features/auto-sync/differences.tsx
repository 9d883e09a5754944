import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { HoldingDifference } from '#shared/api/sync.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** Where the journal differs from the broker's own positions and fill pairs, contract by contract, and what brings both together. */
export const Differences = ({ rows, onBringHistory }: { rows: readonly HoldingDifference[]; onBringHistory: () => void }) => {
  const { t } = useTranslation('sync')
  const format = useFormat()
  if (rows.length === 0) return null
  return (
    <div className="px-4 pb-4">
      <Notice
        tone="warn"
        action={
          <span className="flex shrink-0 gap-3">
            <Button variant="link" size="sm" onClick={onBringHistory}>
              {t('bring-history')}
            </Button>
            <Button asChild variant="link" size="sm">
              <Link to={paths.import}>{t('import-files')}</Link>
            </Button>
          </span>
        }
      >
        <p>{t('differs')}</p>
        <ul aria-label={t('differs')} className="mt-1">
          {rows.map(({ accountId, accountName, contract, kind, broker, ours }) => (
            <li key={`${accountId} ${contract} ${kind}`}>
              <span className="font-semibold">{t('contract-of', { account: accountName, contract })}</span> {t(`difference.${kind}`, { broker: format.count(broker), ours: format.count(ours) })}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
