import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useSetCarry } from '#renderer/lib/use-set-carry.ts'
import { useShortMoment } from '#renderer/lib/use-sync.ts'
import { Badge, Monogram } from '#renderer/ui/badge.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { Switch } from '#renderer/ui/toggles.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { Link2, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountRow } from './account-rows.ts'
import { monogram } from './monogram.ts'
import { roman } from './roman.ts'

const columns = 8

/** The table of accounts; `rows` is null while they load, `addAccount` begins a connection. */
export const AccountsCard = ({ rows, failure, onRetry, addAccount }: { rows: readonly AccountRow[] | null; failure: unknown; onRetry: () => void; addAccount: ReactNode }) => {
  const { t } = useTranslation('auto-sync')
  const empty = rows?.length === 0
  return (
    <Card title={t('accounts')} note={t('accounts-note')} className="shrink-0 overflow-hidden" actions={empty ? null : addAccount}>
      {rows === null && failure !== null ? (
        <ErrorState failure={failure} onRetry={onRetry} />
      ) : empty ? (
        <EmptyState Icon={Link2} title={t('no-accounts')} text={t('no-accounts-text')} action={addAccount} />
      ) : (
        <div className="overflow-x-auto">
          <Table className="max-xl:[&_td:last-child]:pl-1.5 max-xl:[&_td:not(:first-child,:last-child)]:px-1.5 xl:[&_td:not(:first-child)]:px-3 max-xl:[&_th:last-child]:pl-1.5 max-xl:[&_th:not(:first-child,:last-child)]:px-1.5 xl:[&_th:not(:first-child)]:px-3">
            <thead>
              <tr>
                <HeaderCell>{t('pos')}</HeaderCell>
                <HeaderCell>{t('account')}</HeaderCell>
                <HeaderCell end>{t('balance')}</HeaderCell>
                <HeaderCell>{t('type')}</HeaderCell>
                <HeaderCell>{t('platform')}</HeaderCell>
                <HeaderCell>{t('firm')}</HeaderCell>
                <HeaderCell className="max-xl:hidden">{t('last-sync')}</HeaderCell>
                <HeaderCell>{t('carry')}</HeaderCell>
              </tr>
            </thead>
            <tbody>{rows === null ? <SkeletonRows rows={4} columns={columns} /> : rows.map((row, index) => <Account key={row.finance.id} row={row} position={index + 1} />)}</tbody>
          </Table>
        </div>
      )}
    </Card>
  )
}

const Account = ({ row: { finance, connection }, position }: { row: AccountRow; position: number }) => {
  const { t } = useTranslation('auto-sync')
  const format = useFormat()
  const shortMoment = useShortMoment()
  return (
    <tr>
      <Cell quiet>{roman(position)}</Cell>
      <Cell>
        <span className="proportional-nums">{finance.name}</span>
        {connection !== null && <span className="ml-2 text-sm text-faint max-xl:hidden">{t(`environment.${connection.environment}`, { login: connection.loginName })}</span>}
      </Cell>
      <Cell end>{format.wholeMoney(finance.balance, finance.currency)}</Cell>
      <Cell quiet>{t(`account-type.${finance.type}`)}</Cell>
      <Cell>
        <Marked name={finance.platform} />
      </Cell>
      <Cell>{finance.firm === null ? <span className="text-faint">{t('no-firm')}</span> : <Marked name={finance.firm} />}</Cell>
      <Cell quiet className="max-xl:hidden">{connection === null || connection.lastSyncAt === null ? t('never') : shortMoment(connection.lastSyncAt)}</Cell>
      <Cell>{connection !== null && <Carry accountId={connection.id} name={finance.name} carry={connection.carry} crosses={connection.crossesMidnight} />}</Cell>
    </tr>
  )
}

const Marked = ({ name }: { name: string }) => (
  <span className="flex items-center gap-2">
    <Monogram letters={monogram(name)} />
    {name}
  </span>
)

const Carry = ({ accountId, name, carry, crosses }: { accountId: string; name: string; carry: boolean; crosses: boolean }) => {
  const { t } = useTranslation('auto-sync')
  const words = useProblemText()
  const { mutate, isPending } = useSetCarry((failure) => { toast({ title: t('carry-failed'), text: words(failure), tone: 'error' }) })
  return (
    <span className="flex items-center gap-2">
      <Switch checked={carry} disabled={isPending} onChange={(next) => { mutate({ accountId, carry: next }) }} aria-label={t('carry-of', { account: name })} />
      {crosses && !carry && (
        <Tooltip text={t('crosses-text')}>
          <button type="button" className="rounded-sm">
            <Badge tone="warn">
              <TriangleAlert aria-hidden />
              {t('crosses')}
            </Badge>
          </button>
        </Tooltip>
      )}
    </span>
  )
}
