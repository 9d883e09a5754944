import { apiQuery } from '#renderer/lib/api.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { firm } from '#shared/api/records.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { AddProduct } from './add-product.tsx'
import { commissionRows, everyWhose, foundRows } from './commission-rows.ts'
import { CommissionTable } from './commission-table.tsx'
import { useCommissions, type RateChange } from './use-commissions.ts'

/** The commission per side at each firm and in each account: the table's rate, and the user's own, which overrides it. */
export const CommissionsSection = () => {
  const { t } = useTranslation('settings')
  const [params, setParams] = useSearchParams()
  const [search, setSearch] = useState(params.get('product') ?? '')
  const [done, setDone] = useState<{ readonly whose: string; readonly change: RateChange; readonly pairs: number } | null>(null)
  const commissions = useCommissions()
  const choices = useQuery(apiQuery(statisticsRoutes.filterChoices))

  const everyone = commissions.data === undefined || choices.data === undefined ? null : everyWhose(firm.options, choices.data.accounts, commissions.data.own)
  const whose = everyone === null ? null : (everyone.find(({ value }) => value === params.get('of')) ?? everyone.find(({ own }) => own > 0) ?? everyone[0] ?? null)
  const rows = whose === null || commissions.data === undefined ? null : commissionRows(commissions.data, whose, choices.data?.symbols ?? [])
  const found = rows === null ? null : foundRows(rows, search)
  const failure = commissions.data === undefined ? commissions.error : choices.data === undefined ? choices.error : null

  const onDone = (change: RateChange, pairs: number): void => {
    setDone({ whose: whose?.name ?? '', change, pairs })
  }
  const choose = (of: string): void => {
    setParams((known) => {
      known.set('of', of)
      return known
    }, { replace: true })
  }
  return (
    <Card title={t('commissions')} note={t('commissions-note')}>
      {failure !== null ? (
        <ErrorState failure={failure} onRetry={() => { void commissions.refetch(); void choices.refetch() }} />
      ) : (
        <>
          <p className="max-w-3xl px-4 pt-3 text-muted">{t('commissions-text')}</p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline px-4 py-3">
            <Select
              aria-label={t('whose')}
              className="w-88"
              disabled={everyone === null}
              value={whose?.value}
              onChange={choose}
              options={(everyone ?? []).map(({ value, of, name, own }) => {
                const called = of.scope === 'firm' ? t('all-of', { firm: name }) : name
                return { value, label: own === 0 ? called : t('with-own', { name: called, count: own }) }
              })}
            />
            <div className="relative w-48">
              <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-faint" />
              <Input type="search" aria-label={t('search-product')} placeholder={t('search-product')} maxLength={50} value={search} onChange={({ target }) => { setSearch(target.value) }} className="pl-7.5" />
            </div>
            <p role="status" className="ml-auto text-sm text-muted">
              {done !== null && t(done.change.perSide === null ? 'rate-taken-back' : 'rate-set', { product: done.change.product, whose: done.whose })} {done !== null && t('worked-out', { count: done.pairs })}
            </p>
          </div>
          {found?.length === 0 ? <p className="px-4 py-6 text-center text-muted">{t('no-product', { search: search.trim() })}</p> : <CommissionTable rows={found} whose={whose} onDone={onDone} />}
          {whose !== null && <AddProduct key={whose.value} whose={whose} onDone={onDone} />}
        </>
      )}
    </Card>
  )
}
