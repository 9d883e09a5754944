import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import type { ImportShown } from '#shared/api/imports.ts'
import { FileClock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKindName } from './use-kind-name.ts'
import { useUndo, type useImports } from './use-import.ts'

/** All imports so far, each with an undo. */
export const PastImports = ({ listed }: { listed: ReturnType<typeof useImports> }) => {
  const { t } = useTranslation('import')
  const words = useProblemText()
  const [asked, setAsked] = useState<ImportShown | null>(null)
  const undo = useUndo((failure) => { toast({ title: t('undo-failed'), text: words(failure), tone: 'error' }) })
  const rows = listed.data?.imports ?? null
  return (
    <Card title={t('past')} note={t('past-note')} className="shrink-0 overflow-hidden">
      {rows === null && listed.error !== null ? (
        <ErrorState failure={listed.error} onRetry={() => void listed.refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState Icon={FileClock} title={t('past-none')} text={t('past-none-text')} />
      ) : (
        <div className="overflow-x-auto">
          <Table className="max-xl:[&_:is(td,th)]:px-2 max-md:[&_:is(td,th):nth-child(3)]:hidden">
            <thead>
              <tr>
                <HeaderCell>{t('when')}</HeaderCell>
                <HeaderCell>{t('files')}</HeaderCell>
                <HeaderCell>{t('accounts')}</HeaderCell>
                <HeaderCell end>{t('accepted')}</HeaderCell>
                <HeaderCell end>{t('refused')}</HeaderCell>
                <HeaderCell unseen>{t('undo')}</HeaderCell>
              </tr>
            </thead>
            <tbody>
              {rows?.map((one) => <ImportRow key={one.id} one={one} busy={undo.isPending && undo.variables === one.id} disabled={undo.isPending} onUndo={() => { setAsked(one) }} />) ?? <SkeletonRows rows={3} columns={6} />}
            </tbody>
          </Table>
        </div>
      )}
      {asked !== null && (
        <UndoDialog
          asked={asked}
          onClose={() => { setAsked(null) }}
          onUndo={() => {
            undo.mutate(asked.id)
            setAsked(null)
          }}
        />
      )}
    </Card>
  )
}

const ImportRow = ({ one, busy, disabled, onUndo }: { one: ImportShown; busy: boolean; disabled: boolean; onUndo: () => void }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const sum = (what: 'accepted' | 'refused'): number => one.files.reduce((total, file) => total + file[what], 0)
  const gone = one.undoneAt !== null
  return (
    <tr className={gone ? '[&>td]:text-muted [&>td]:align-top [&>td]:py-2' : '[&>td]:align-top [&>td]:py-2'}>
      <Cell className="max-xl:min-w-32 max-xl:whitespace-normal!">{format.fullDateTime(one.at)}</Cell>
      <Cell className="whitespace-normal!">
        {one.fromBroker && <p className="font-medium">{t('from-broker')}</p>}
        <Files files={one.files} />
      </Cell>
      <Cell className="whitespace-normal! proportional-nums">{gone ? '' : one.accounts.join(', ')}</Cell>
      <Cell end>{format.count(sum('accepted'))}</Cell>
      <Cell end>{format.count(sum('refused'))}</Cell>
      <Cell end>
        {one.undoneAt !== null ? (
          <Badge>{t('undone', { time: format.dateTime(one.undoneAt) })}</Badge>
        ) : (
          <Button variant="outline" size="sm" busy={busy} disabled={disabled} aria-label={t('undo-of', { time: format.fullDateTime(one.at) })} onClick={onUndo}>
            {t('undo')}
          </Button>
        )}
      </Cell>
    </tr>
  )
}

const shownAtFirst = 4

/** The files of an import; of many, at first only some, because a year of history comes in dozens. */
const Files = ({ files }: { files: ImportShown['files'] }) => {
  const { t } = useTranslation('import')
  const kindName = useKindName()
  const format = useFormat()
  const [all, setAll] = useState(false)
  const shown = all ? files : files.slice(0, files.length === shownAtFirst + 1 ? undefined : shownAtFirst)
  return (
    <>
      <ul className="flex flex-col gap-0.5 proportional-nums">
        {shown.map(({ name, kind }, index) => (
          <li key={index} className="break-words">
            {name}
            {!name.startsWith(kindName(kind)) && <span className="text-muted"> · {kindName(kind)}</span>}
          </li>
        ))}
      </ul>
      {shown.length < files.length && (
        <Button variant="link" size="sm" onClick={() => { setAll(true) }}>
          {t('show-files', { shown: format.count(files.length) })}
        </Button>
      )}
    </>
  )
}

const UndoDialog = ({ asked, onClose, onUndo }: { asked: ImportShown; onClose: () => void; onUndo: () => void }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  return (
    <Dialog
      open
      width="sm"
      onClose={onClose}
      title={t('undo-title')}
      description={t('undo-text', { count: asked.files.length, time: format.fullDateTime(asked.at) })}
      footer={<AskButtons cancel={t('keep')} onCancel={onClose} confirm={t('undo')} variant="destructive" onClick={onUndo} />}
    />
  )
}
