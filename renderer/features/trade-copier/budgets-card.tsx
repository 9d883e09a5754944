import { Card } from '#renderer/ui/card.tsx'
import { Progress } from '#renderer/ui/progress.tsx'
import type { CopierLive } from '#shared/api/copier.ts'
import { useTranslation } from 'react-i18next'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

const shortFrom = 0.8

/** How many calls of the broker's hourly limit each login has used, and how many of its own are pending. */
export const BudgetsCard = ({ budgets }: { budgets: CopierLive['budgets'] }) => {
  const { t } = useTranslation('trade-copier')
  const { loginOf } = useAccountNames()
  const figures = useFigures()
  if (budgets.length === 0) return null
  return (
    <Card title={t('budgets')} note={t('budgets-note')} className="shrink-0">
      <ul className="grid grid-cols-2 gap-x-8 gap-y-2 px-4 py-3 max-xl:grid-cols-1">
        {budgets.map(({ loginId, used, limit, waiting }) => (
          <li key={loginId} className="flex items-center gap-3">
            <span className="w-36 truncate" title={loginOf(loginId)}>{loginOf(loginId)}</span>
            <Progress value={limit === 0 ? 1 : used / limit} tone={used >= limit * shortFrom ? 'warn' : 'muted'} label={t('budget-of', { login: loginOf(loginId) })} className="grow" />
            <span className="text-right text-sm text-muted">
              {t('budget', { used: figures.count(used), limit: figures.count(limit) })}
              {waiting > 0 && <span className="text-warn"> · {t('budget-pending', { count: waiting })}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
