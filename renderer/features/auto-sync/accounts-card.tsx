import { monogram } from '#renderer/lib/monogram.ts'
import { paths } from '#renderer/lib/paths.ts'
import { rulesQuery } from '#renderer/lib/rules.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { useShortMoment } from '#renderer/lib/use-sync.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { StageMenu } from '#renderer/ui/stage-menu.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import type { AccountSync } from '#shared/api/brokerage.ts'
import { isOwnAccount } from '#shared/api/records.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { AccountRules, AccountStanding, ruleRoutes } from '#shared/api/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { CloudDownload, Link2, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { balanceIsKnown, unlabeled, type AccountRow } from './account-rows.ts'

// Ten columns fit into 1024 px only without their usual air.
const tight = '[&_td:not(:first-child)]:pl-0 [&_td:not(:last-child)]:pr-2 [&_th:not(:first-child)]:pl-0 [&_th:not(:last-child)]:pr-2 xl:[&_td:not(:last-child)]:pr-4 xl:[&_th:not(:last-child)]:pr-4'

/** The table of accounts; `rows` is null while they load, `addAccount` begins a connection, `history` shows which history can be fetched. */
export const AccountsCard = ({
  rows,
  failure,
  onRetry,
  history,
  addAccount,
  ...actions
}: AccountActions & { rows: readonly AccountRow[] | null; failure: unknown; onRetry: () => void; history: ReactNode; addAccount: ReactNode }) => {
  const { t } = useTranslation('auto-sync')
  const narrow = useNarrow()
  const { data: rules } = useQuery(rulesQuery)
  const empty = rows?.length === 0
  return (
    <Card title={t('accounts')} note={t('accounts-note')} className="shrink-0 overflow-hidden" actions={empty ? null : <>{history}{addAccount}</>}>
      {rows === null && failure !== null ? (
        <ErrorState failure={failure} onRetry={onRetry} />
      ) : empty ? (
        <NoAccounts addAccount={addAccount} />
      ) : (
        <div className="relative overflow-x-auto">
          <Table className={tight}>
            <thead>
              <tr>
                <HeaderCell>{t('pos')}</HeaderCell>
                <HeaderCell>{t('account')}</HeaderCell>
                <HeaderCell end>{t('balance')}</HeaderCell>
                <HeaderCell>{t('type')}</HeaderCell>
                <HeaderCell>{t('platform')}</HeaderCell>
                <HeaderCell>{t('firm')}</HeaderCell>
                <HeaderCell>{t('stage')}</HeaderCell>
                {!narrow && <HeaderCell>{t('sync-state')}</HeaderCell>}
                <HeaderCell unseen>{t('actions')}</HeaderCell>
              </tr>
            </thead>
            <tbody>{rows === null ? <SkeletonRows rows={4} columns={narrow ? 8 : 9} /> : rows.map((row, index) => <AccountTableRow key={row.finance.id} row={row} position={index + 1} narrow={narrow} stage={stageOf(rules, row)} {...actions} />)}</tbody>
          </Table>
        </div>
      )}
    </Card>
  )
}

const stageOf = (known: AnswerOf<typeof ruleRoutes.rules> | undefined, { finance }: AccountRow): AccountStage | null => {
  const rules = known?.accounts.find(({ account }) => account === finance.id)
  return rules === undefined ? null : { rules, standing: known?.standings.find(({ account }) => account === finance.id) ?? null }
}

const NoAccounts = ({ addAccount }: { addAccount: ReactNode }) => {
  const { t } = useTranslation('auto-sync')
  const restoring = useRestoring() !== null
  return restoring ? (
    <EmptyState Icon={CloudDownload} title={t('restoring')} text={t('restoring-text')} />
  ) : (
    <EmptyState Icon={Link2} title={t('no-accounts')} text={t('no-accounts-text')} action={addAccount} />
  )
}

/** What can be done with an account of the table. */
type AccountActions = { readonly onConnect: () => void; readonly onEdit: (row: AccountRow) => void; readonly onDelete: (row: AccountRow) => void }

/** An account's stage, by its rules. */
type AccountStage = { readonly rules: AccountRules; readonly standing: AccountStanding | null }

/** One account: what it is, its balance, its sync state; in a `narrow` window the latter is below its name. */
const AccountTableRow = ({ row, position, narrow, stage, onConnect, onEdit, onDelete }: AccountActions & { row: AccountRow; position: number; narrow: boolean; stage: AccountStage | null }) => {
  const { t } = useTranslation('auto-sync')
  const format = useFormat()
  const { finance, connection, leader, twin } = row
  const sync = connection !== null && <SyncCell sync={connection.sync} account={finance.name} onConnect={onConnect} />
  return (
    <tr className="[&>td]:h-13 [&>td]:py-1.5">
      <Cell quiet>{roman(position)}</Cell>
      <Cell className="proportional-nums">
        <span className="block w-max max-w-56 break-words whitespace-normal max-xl:max-w-40">{finance.name}</span>
        {leader !== null && (
          <span className="block w-max max-w-56 truncate text-sm text-faint max-xl:max-w-40" title={t('copy-of', { account: leader })}>
            {t('copy-of', { account: leader })}
          </span>
        )}
        {twin !== null && <span className="block max-w-56 text-sm whitespace-normal text-warn max-xl:max-w-40">{t('reached-twice', twin)}</span>}
        {narrow && <div className="max-w-40 text-sm whitespace-normal">{sync}</div>}
        {!narrow && connection !== null && connection.loginName !== '' && <span className="block text-sm text-faint">{t(`environment.${connection.environment}`, { login: connection.loginName })}</span>}
      </Cell>
      <Cell end>{balanceIsKnown(row) ? format.wholeMoney(finance.balance, finance.currency) : <span className="text-faint">{t('no-balance')}</span>}</Cell>
      <Cell quiet className="whitespace-normal!">{t(isOwnAccount(finance) ? 'account-type.own' : `account-type.${finance.type}`)}</Cell>
      <Cell>{narrow ? finance.platform : <Marked name={finance.platform} />}</Cell>
      <Cell className="whitespace-normal!">{finance.firm === null ? <span className="text-faint">{t('no-firm')}</span> : narrow ? finance.firm : <Marked name={finance.firm} />}</Cell>
      <Cell className="max-xl:[&_svg.stage-sign]:hidden">{stage === null || ((isOwnAccount(finance) || unlabeled(finance)) && !stage.rules.stageByHand) ? <span className="text-faint">{t('no-stage')}</span> : <StageMenu name={finance.name} {...stage} />}</Cell>
      {!narrow && <Cell>{sync}</Cell>}
      <Cell end>
        <Button variant="ghost" size="icon" className="max-xl:-ml-2" title={t('edit-label.open')} aria-label={t('edit-label.open-of', { account: finance.name })} onClick={() => { onEdit(row) }}>
          <Pencil aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" className="xl:-mr-2" title={t('delete')} aria-label={t('delete-of', { account: finance.name })} onClick={() => { onDelete(row) }}>
          <Trash2 aria-hidden />
        </Button>
      </Cell>
    </tr>
  )
}

/** The name of a firm or platform after its mark. */
const Marked = ({ name }: { name: string }) => (
  <span className="flex items-center gap-2">
    <Monogram letters={monogram(name)} />
    {name}
  </span>
)

/** An account's sync state, its last success, and what to do if it waits for the trader. */
const SyncCell = ({ sync: { state, lastGoodAt, nextTryAt }, account, onConnect }: { sync: AccountSync; account: string; onConnect: () => void }) => {
  const { t } = useTranslation('auto-sync')
  const shortMoment = useShortMoment()
  const times = [
    ...(state === 'waiting' && nextTryAt !== null ? [t('sync.next-try', { time: shortMoment(nextTryAt) })] : []),
    ...(state === 'good' || lastGoodAt === null ? [] : [t('sync.last-good', { time: shortMoment(lastGoodAt) })]),
  ]
  return (
    <>
      <span className={state === 'login-needed' ? 'flex flex-wrap items-center gap-x-2 text-warn' : 'flex flex-wrap items-center gap-x-2'}>
        {state === 'running' && <Spinner />}
        {state === 'good' && lastGoodAt !== null ? t('sync.good-at', { time: shortMoment(lastGoodAt) }) : t(`sync.${state}`)}
        {state === 'from-files' && (
          <Button asChild variant="link" size="sm">
            <Link to={paths.import} aria-label={t('sync.import-more-of', { account })}>
              {t('sync.import-more')}
            </Link>
          </Button>
        )}
        {(state === 'login-needed' || state === 'elsewhere') && (
          <Button variant="link" size="sm" onClick={onConnect} aria-label={state === 'elsewhere' ? t('sync.connect-here-of', { account }) : t('sync.connect-again-of', { account })}>
            {state === 'elsewhere' ? t('sync.connect-here') : t('sync.connect-again')}
          </Button>
        )}
      </span>
      {times.map((text) => (
        <span key={text} className="block text-sm text-faint">
          {text}
        </span>
      ))}
    </>
  )
}

const symbols: readonly (readonly [number, string])[] = [
  [1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'],
  [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I'],
]

/** A position, counted from 1, as a Roman numeral. */
export const roman = (position: number): string => {
  let rest = position
  let text = ''
  for (const [value, symbol] of symbols) {
    text += symbol.repeat(Math.floor(rest / value))
    rest %= value
  }
  return text
}
