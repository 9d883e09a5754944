import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { backupRoutes, type Backup } from '#shared/api/backups.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BackupTroubles } from './backup-troubles.tsx'
import { megabytes } from './megabytes.ts'
import { RestoreDialog } from './restore-dialog.tsx'

const whileCheckingMs = 2_000

/** The journal's backups, with buttons to make one and to restore any of them. */
export const BackupsSection = () => {
  const { t } = useTranslation('backups')
  const words = useProblemText()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({ ...apiQuery(backupRoutes.backups), staleTime: 0, placeholderData: keepPreviousData, refetchInterval: ({ state }) => state.data?.health === 'checking' && whileCheckingMs })
  const [restoring, setRestoring] = useState<Backup | null>(null)
  const making = useMutation({
    mutationFn: () => callApi(backupRoutes.makeBackup),
    onSuccess: () => { toast({ title: t('made') }) },
    onSettled: () => invalidateRoutes(client, backupRoutes.backups),
  })
  return (
    <Card
      title={t('title')}
      note={t('note')}
      actions={
        <Button variant="outline" size="sm" busy={making.isPending} onClick={() => { making.mutate() }}>
          {t('make')}
        </Button>
      }
    >
      {making.error && (
        <Notice tone="error" className="mx-4 mt-3">
          {words(making.error)}
        </Notice>
      )}
      {data && <BackupTroubles backups={data} />}
      <p className="max-w-3xl px-4 py-3 text-muted">{t('text')}</p>
      {data && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 px-4 pb-3 text-sm">
          <dt className="text-faint">{t('file')}</dt>
          <dd className="text-muted">{t(`health.${data.health}`)}</dd>
          <dt className="text-faint">{t('folder')}</dt>
          <dd className="min-w-0 break-all text-muted select-all">{data.folder}</dd>
        </dl>
      )}
      {data === undefined && error !== null ? (
        <ErrorState failure={error} onRetry={() => void refetch()} />
      ) : data?.backups.length === 0 ? (
        <EmptyState Icon={Archive} title={t('empty')} text={t('empty-text')} className="border-t border-hairline" />
      ) : (
        <List backups={data?.backups ?? null} onRestore={setRestoring} />
      )}
      {data && restoring && <RestoreDialog backup={restoring} now={data.now} damaged={data.health === 'damaged'} free={data.room?.free ?? null} onClose={() => { setRestoring(null) }} />}
    </Card>
  )
}

// The dialog shows the number of accounts too.
const columns = (narrow: boolean): number => (narrow ? 7 : 8)

const List = ({ backups, onRestore }: { backups: readonly Backup[] | null; onRestore: (backup: Backup) => void }) => {
  const { t } = useTranslation('backups')
  const narrow = useNarrow()
  return (
    <div className="overflow-x-auto border-t border-hairline">
      <Table aria-label={t('list')} aria-busy={backups === null} className={classNames('[&_:is(td,th):not(:first-child,:last-child)]:px-3 [&_th]:whitespace-normal', narrow && '[&_td]:px-2.5 [&_td:first-child]:pl-4 [&_td:last-child]:pr-4 [&_th]:px-2.5 [&_th:first-child]:pl-4 [&_td]:py-1 [&_th]:py-1.5')}>
        <thead>
          <tr>
            <HeaderCell>{t('when')}</HeaderCell>
            <HeaderCell>{t('why')}</HeaderCell>
            <HeaderCell end>{t('pairs')}</HeaderCell>
            <HeaderCell>{t('last')}</HeaderCell>
            {!narrow && <HeaderCell end>{t('accounts')}</HeaderCell>}
            <HeaderCell end>{t('size')}</HeaderCell>
            <HeaderCell>{t('checked')}</HeaderCell>
            <HeaderCell unseen>{t('restore')}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {backups === null && <SkeletonRows rows={7} columns={columns(narrow)} figures={0} />}
          {backups?.map((backup) => <Row key={backup.name} backup={backup} narrow={narrow} onRestore={onRestore} />)}
        </tbody>
      </Table>
    </div>
  )
}

const Row = ({ backup, narrow, onRestore }: { backup: Backup; narrow: boolean; onRestore: (backup: Backup) => void }) => {
  const { t } = useTranslation('backups')
  const format = useFormat()
  const { holds, readable, checked, kind, bytes, by, others } = backup
  const at = format.fullDateTime(backup.at)
  return (
    <tr title={backup.name}>
      <Cell className="tabular-nums max-xl:whitespace-normal!">{at}</Cell>
      <Cell quiet className="py-1.5 max-xl:whitespace-normal!">
        {by === 'another' ? t('of-another', { kind: t(`kind.${kind}`) }) : t(`kind.${kind}`)}
        {others !== null && <span className="block text-sm text-faint">{holds === null ? t('whose-others', { count: others }) : others === 0 ? t('whose-own') : t('whose-both', { count: others })}</span>}
      </Cell>
      {holds === null ? (
        <Cell quiet colSpan={narrow ? 2 : 3}>
          {readable && t('before-you')}
        </Cell>
      ) : (
        <>
          <Cell end className="tabular-nums">{format.count(holds.pairs)}</Cell>
          <Cell className="max-xl:whitespace-normal!">{holds.lastTradeDay === null ? t('none') : format.fullDay(holds.lastTradeDay)}</Cell>
          {!narrow && <Cell end className="tabular-nums">{format.count(holds.accounts)}</Cell>}
        </>
      )}
      <Cell end quiet className="tabular-nums">{t('megabytes', { size: format.quantity(Math.max(0.1, megabytes(bytes))) })}</Cell>
      <Cell>{!readable ? <Badge tone="loss">{t('unreadable')}</Badge> : <Badge tone={checked ? 'gain' : 'quiet'}>{t(checked ? 'checked-yes' : 'checked-no')}</Badge>}</Cell>
      <Cell end>
        {holds !== null && (
          <Button variant="outline" size="sm" aria-label={t('restore-of', { at })} title={t('restore-of', { at })} onClick={() => { onRestore(backup) }}>
            {/* In a small window the sign alone has room. */}
            <RotateCcw aria-hidden className="md:hidden" />
            <span className="max-md:sr-only">{t('restore')}</span>
          </Button>
        )}
      </Cell>
    </tr>
  )
}
