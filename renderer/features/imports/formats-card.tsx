import { apiQuery, callApi, invalidateRoutes, type ApiFailure } from '#renderer/lib/api.ts'
import { saveBlob } from '#renderer/lib/save-blob.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { formatFile, parseFormatFile, type ImportFormat } from '#shared/imports/mapped-format.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** The user's own formats, to rename, export, import and remove. Shows once there is one, or where `wanted`. */
export const FormatsCard = ({ wanted }: { wanted: boolean }) => {
  const { t } = useTranslation('import')
  const words = useProblemText()
  const { count } = useFormat()
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ readonly id: string; readonly format: ImportFormat; readonly of: 'name' | 'removal' } | null>(null)
  const [name, setName] = useState('')
  const formats = useQuery(apiQuery(importRoutes.importFormats)).data?.formats ?? []
  const refresh = () => invalidateRoutes(client, importRoutes.importFormats, importRoutes.previewImport)
  const onError = (failure: ApiFailure): void => { toast({ title: t('formats.failed'), text: words(failure), tone: 'error' }) }
  const save = useMutation<unknown, ApiFailure, ImportFormat>({ mutationFn: (format) => callApi(importRoutes.saveImportFormat, { body: { format } }), onSuccess: refresh, onError })
  const remove = useMutation<unknown, ApiFailure, string>({ mutationFn: (id) => callApi(importRoutes.removeImportFormat, { body: { id } }), onSuccess: refresh, onError })
  const take = async (file: File): Promise<void> => {
    const read = parseFormatFile(file.size > largestFile ? '' : await file.text().catch(() => ''))
    if (!read.ok) return void toast({ title: t('formats.failed'), text: t(`formats.bad.${read.error}`, { file: file.name }), tone: 'error' })
    save.mutate(read.value, { onSuccess: () => { toast({ title: t('formats.taken', { name: read.value.name }) }) } })
  }
  if (formats.length === 0 && !wanted) return null
  const close = (): void => { setAsked(null) }
  return (
    <Card
      title={t('formats.title')}
      note={t('formats.note')}
      className="shrink-0 overflow-hidden"
      actions={
        <Button variant="outline" size="sm" busy={save.isPending} onClick={() => { chooseFile((file) => void take(file)) }}>
          {t('formats.import')}
        </Button>
      }
    >
      {formats.length === 0 ? (
        <p className="px-4 py-3.5 text-muted">{t('formats.none')}</p>
      ) : (
        <div className="overflow-x-auto">
          <Table>
            <thead>
              <tr>
                <HeaderCell>{t('mapping.name')}</HeaderCell>
                <HeaderCell>{t('mapping.rows')}</HeaderCell>
                <HeaderCell end>{t('formats.columns')}</HeaderCell>
                <HeaderCell unseen>{t('formats.actions')}</HeaderCell>
              </tr>
            </thead>
            <tbody>
              {formats.map(({ id, format }) => (
                <tr key={id}>
                  <Cell className="max-w-96 truncate font-medium" title={format.name}>{format.name}</Cell>
                  <Cell>{t(`mapping.rows-of.${format.rows}`)}</Cell>
                  <Cell end>{count(format.columns.filter(({ field }) => field !== null).length)}</Cell>
                  <Cell end>
                    <span className="inline-flex gap-2">
                      <Button variant="ghost" size="sm" aria-label={t('formats.rename-of', { name: format.name })} onClick={() => { setName(format.name); setAsked({ id, format, of: 'name' }) }}>{t('formats.rename')}</Button>
                      <Button variant="ghost" size="sm" aria-label={t('formats.export-of', { name: format.name })} onClick={() => { exportFormat(format) }}>{t('formats.export')}</Button>
                      <Button variant="ghost" size="sm" aria-label={t('formats.remove-of', { name: format.name })} onClick={() => { setAsked({ id, format, of: 'removal' }) }}>{t('remove')}</Button>
                    </span>
                  </Cell>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {asked !== null && (
        <Dialog
          open
          width="sm"
          onClose={close}
          title={t(asked.of === 'name' ? 'formats.rename-title' : 'formats.remove-title', { name: asked.format.name })}
          description={asked.of === 'name' ? undefined : t('formats.remove-text')}
          footer={
            <AskButtons
              cancel={t('cancel')}
              onCancel={close}
              confirm={t(asked.of === 'name' ? 'formats.rename' : 'remove')}
              variant={asked.of === 'name' ? 'default' : 'destructive'}
              disabled={asked.of === 'name' && name.trim() === ''}
              onClick={() => {
                if (asked.of === 'name') save.mutate({ ...asked.format, name: name.trim() })
                else remove.mutate(asked.id)
                close()
              }}
            />
          }
        >
          {asked.of === 'name' && <Field label={t('mapping.name')}>{(field) => <Input {...field} maxLength={80} value={name} onChange={({ target }) => { setName(target.value) }} />}</Field>}
        </Dialog>
      )}
    </Card>
  )
}

const exportFormat = (format: ImportFormat): void => {
  const name = format.name.replaceAll(/[^\p{L}\p{N} _-]+/gu, ' ').trim() || 'format'
  saveBlob(`${name}.fillbook-format.json`, new Blob([formatFile(format)], { type: 'application/json' }))
}

const chooseFile = (take: (file: File) => void): void => {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.json,application/json' })
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file) take(file)
  })
  input.click()
}

const largestFile = 1_000_000
