import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { ReadFile } from '#shared/api/imports.ts'
import { ChevronDown, ChevronRight, CircleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RefusedLines } from './refused-lines.tsx'
import { UnreadableFile, type DraftFile } from './use-draft.ts'
import { useKindName } from './use-kind-name.ts'

/** The files that are to be imported: what each is, how many of its rows can be read, and why others cannot. */
export const FilesTable = ({ files, readOf, disabled, onMap, onRemove }: {
  files: readonly DraftFile[]
  readOf: (file: DraftFile) => ReadFile | null
  disabled: boolean
  onMap: (file: DraftFile) => void
  onRemove: (key: string) => void
}) => {
  const { t } = useTranslation('import')
  return (
    <div className="overflow-x-auto">
      <Table>
        <thead>
          <tr>
            <HeaderCell>{t('file')}</HeaderCell>
            <HeaderCell>{t('kind-of-file')}</HeaderCell>
            <HeaderCell end>{t('rows')}</HeaderCell>
            <HeaderCell end>{t('accepted')}</HeaderCell>
            <HeaderCell end>{t('refused')}</HeaderCell>
            <HeaderCell unseen>{t('remove')}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <FileRow key={file.key} file={file} read={readOf(file)} disabled={disabled} onMap={() => { onMap(file) }} onRemove={() => { onRemove(file.key) }} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

/** Whether the columns of a refused file can be mapped. */
export const isMappable = (read: ReadFile | null): boolean => read?.problem === 'unknown-kind' || read?.problem === 'missing-columns'

const FileRow = ({ file, read, disabled, onMap, onRemove }: { file: DraftFile; read: ReadFile | null; disabled: boolean; onMap: () => void; onRemove: () => void }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const kindName = useKindName()
  const refusal = useRefusal(file, read)
  const Arrow = open ? ChevronDown : ChevronRight
  return (
    <>
      <tr>
        <Cell className="max-w-80 truncate font-medium" title={file.file.name}>{file.file.name}</Cell>
        {refusal !== null ? (
          <Cell colSpan={4} className="py-2 whitespace-normal!">
            <span className="flex items-start gap-2">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-loss" />
              <span>
                {read?.problem !== 'open-dates' && read?.problem !== 'unknown-kind' && <span className="font-medium text-loss">{t('refused-whole')}</span>} {refusal}{' '}
                {isMappable(read) && <Button variant="link" disabled={disabled} aria-label={t('mapping.open-of', { file: file.file.name })} onClick={onMap}>{t('mapping.open')}</Button>}
              </span>
            </span>
          </Cell>
        ) : (
          <>
            <Cell>{read?.kind ? <Kind kind={kindName(read.kind)} format={read.format} disabled={disabled} onMap={onMap} /> : <Loading text={t(file.upload === null ? 'sending' : 'reading')} />}</Cell>
            <Cell end>{read && format.count(read.rows)}</Cell>
            <Cell end>{read && format.count(read.accepted)}</Cell>
            <Cell end>
              {read !== null && read.refused === 0 && <span className="text-muted">{format.count(0)}</span>}
              {read !== null && read.refused > 0 && (
                <Button variant="link" className="gap-1 align-middle text-warn" aria-expanded={open} aria-label={t('refused-of', { count: read.refused, shown: format.count(read.refused), file: file.file.name })} onClick={() => { setOpen(!open) }}>
                  <Arrow aria-hidden />
                  {format.count(read.refused)}
                </Button>
              )}
            </Cell>
          </>
        )}
        <Cell end>
          <Button variant="ghost" size="icon" className="-mr-2" disabled={disabled} aria-label={t('remove-of', { file: file.file.name })} title={t('remove')} onClick={onRemove}>
            <X aria-hidden />
          </Button>
        </Cell>
      </tr>
      {open && read !== null && read.refused > 0 && (
        <tr>
          <td colSpan={6} className="border-b border-hairline bg-ground p-0">
            <RefusedLines file={file.file.name} lines={read.refusedLines} total={read.refused} />
          </td>
        </tr>
      )}
    </>
  )
}

/** The kind of a file, with the user's own format that reads it, if any. */
const Kind = ({ kind, format, disabled, onMap }: { kind: string; format: string | null; disabled: boolean; onMap: () => void }) => {
  const { t } = useTranslation('import')
  if (format === null) return kind
  return (
    <span className="flex items-center gap-2">
      <span className="max-w-60 truncate" title={`${format} · ${kind}`}>
        {format} <span className="text-muted">· {kind}</span>
      </span>
      <Button variant="link" disabled={disabled} aria-label={t('mapping.edit-of', { format })} onClick={onMap}>{t('mapping.edit')}</Button>
    </span>
  )
}

const Loading = ({ text }: { text: string }) => (
  <span className="flex items-center gap-3 text-muted">
    {text}
    <Skeleton className="h-3 w-20" />
  </span>
)

/** Why the whole file is refused, in words; null if it is not. */
const useRefusal = ({ failure }: DraftFile, read: ReadFile | null): string | null => {
  const { t } = useTranslation('import')
  const words = useProblemText()
  const kindName = useKindName()
  if (failure instanceof UnreadableFile) return t('problem.unreadable')
  if (failure !== null) return words(failure)
  if (read === null || read.problem === null) return null
  if (read.problem === 'missing-columns') return t('problem.missing-columns', { kind: read.lacks === null ? '' : kindName(read.lacks.kind), columns: read.lacks?.columns.join(', ') ?? '' })
  if (read.problem === 'other-report') return t('problem.other-report', { report: read.otherReport ?? '' })
  return t(`problem.${read.problem}`)
}
