import { standingsQuery } from '#renderer/lib/rules.ts'
import { Card } from '#renderer/ui/card.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { AddAccountLink } from '#renderer/ui/ways-in.tsx'
import { useQuery } from '@tanstack/react-query'
import { Ruler } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigationType, useSearchParams } from 'react-router-dom'
import { RulesAccount, parts, type RulesPart } from './rules-account.tsx'
import { RulesList, type RulesRow } from './rules-list.tsx'
import type { AnswerOf } from '#shared/api/route.ts'
import type { ruleRoutes } from '#shared/api/rules.ts'

/** The accounts with their rules by name, numbers in it by value; changing figures never move a row. */
const rulesRows = ({ accounts, standings }: AnswerOf<typeof ruleRoutes.rules>): RulesRow[] => {
  const known = new Map(standings.map((standing) => [standing.account, standing]))
  return accounts
    .map((rules) => {
      const standing = known.get(rules.account) ?? null
      return { rules, standing, name: standing?.name ?? rules.account }
    })
    .sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }))
}

/** The rules of all accounts; the address names the open account and its part. */
export const RulesPanel = () => {
  const { t } = useTranslation('rules')
  const { data, error, refetch } = useQuery(standingsQuery)
  const [params, setParams] = useSearchParams()
  /** The last opened account, which gets the focus back. */
  const [last, setLast] = useState<string | null>(null)
  const led = useNavigationType() === 'PUSH'
  const choose = (account: string | null): void => {
    setLast(account ?? params.get('account'))
    set('account', account)
  }
  const set = (name: string, value: string | null): void => {
    setParams((now) => {
      const next = new URLSearchParams(now)
      if (value === null) next.delete(name)
      else next.set(name, value)
      return next
    })
  }
  if (data === undefined) return error === null ? <Loading /> : <ErrorState failure={error} onRetry={() => void refetch()} className="grow" />
  const rows = rulesRows(data)
  if (rows.length === 0) return <EmptyState Icon={Ruler} title={t('no-accounts')} text={t('no-accounts-text')} className="grow" action={<AddAccountLink />} />
  const open = rows.find(({ rules }) => rules.account === params.get('account'))
  if (open === undefined) return <RulesList rows={rows} focused={last} onChoose={choose} />
  const part: RulesPart = parts.find((one) => one === params.get('part')) ?? 'now'
  return <RulesAccount key={open.rules.account} row={open} rows={rows} part={part} led={led || last !== null} onPart={(next) => { set('part', next === 'now' ? null : next) }} onChoose={choose} />
}

const Loading = () => {
  const { t } = useTranslation('rules')
  return (
    <Card title={t('list.title')} className="shrink-0 overflow-hidden">
      <Table>
        <tbody>
          <SkeletonRows rows={6} columns={6} figures={1} />
        </tbody>
      </Table>
    </Card>
  )
}
