import { apiQuestion, callApi, type ApiFailure } from '#renderer/lib/api.ts'
import { invalidatePrices } from '#renderer/lib/invalidate-prices.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useGrainName } from '#renderer/lib/use-grain-name.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { SentUpload } from '#shared/api/imports.ts'
import { priceRoutes, type PriceChoiceInput, type PriceImportedShown, type PricePreviewShown, type TriedPriceChoice } from '#shared/api/prices.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { removeFiles, type DraftFile } from './use-draft.ts'

/** A sent file of prices. */
export type PriceFile = DraftFile & { readonly upload: SentUpload }
/** The choices for a file: its contract, and how its times and prices are read. */
type Answers = { readonly contract: string | null; readonly choice: PriceChoiceInput | null }

const nothingAnswered: Answers = { contract: null, choice: null }
const keyOf = ({ zone, label, scale }: PriceChoiceInput): string => `${zone} ${label} ${String(scale)}`
const isReady = (preview: PricePreviewShown | undefined): preview is PricePreviewShown =>
  preview?.problem === null && !preview.needsContract && preview.choice !== null && !preview.contracts.every(({ known }) => known)

/** Files of prices: their contents, the choices that they need, and the button to store them. */
export const PricesCard = ({ files, zone }: { files: readonly PriceFile[]; zone: string }) => {
  const { t } = useTranslation('prices')
  const words = useProblemText()
  const client = useQueryClient()
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answers>>(new Map())
  const answersOf = ({ upload }: PriceFile): Answers => answers.get(upload.id) ?? nothingAnswered
  const uploads = files.map((file) => ({ id: file.upload.id, name: file.upload.name, ...answersOf(file) }))
  const preview = useQuery({ ...apiQuestion(priceRoutes.previewPrices, { body: { uploads, zone } }), placeholderData: keepPreviousData, enabled: files.length > 0, staleTime: Infinity, retry: false })
  // The answer may still be that of other files.
  const previewOf = (index: number): PricePreviewShown | undefined => (preview.data?.files[index]?.name === files[index]?.upload.name ? preview.data?.files[index] : undefined)
  const ready = files.flatMap((file, index) => {
    const { id, name } = file.upload
    const found = previewOf(index)
    return isReady(found) ? [{ file, upload: { id, name, contract: answersOf(file).contract, choice: found.choice } }] : []
  })
  const storing = useMutation<readonly PriceImportedShown[], ApiFailure, typeof ready>({
    mutationFn: async (sent) => (await callApi(priceRoutes.importPrices, { body: { uploads: sent.map(({ upload }) => upload), zone } })).files,
    onSuccess: async (done, sent) => {
      await invalidatePrices(client)
      removeFiles(sent.flatMap(({ file }, index) => (done[index]?.problem === null ? [file.key] : [])))
    },
  })
  return (
    <>
      {storing.data !== undefined && <Result files={storing.data} />}
      {files.length > 0 && (
        <Card title={t('files')} note={t('files-note', { count: files.length })} className="shrink-0 overflow-hidden">
          <div className="overflow-x-auto">
            <Table>
              <thead>
                <tr>
                  <HeaderCell>{t('file')}</HeaderCell>
                  <HeaderCell>{t('prices')}</HeaderCell>
                  <HeaderCell end>{t('rows')}</HeaderCell>
                  <HeaderCell end>{t('left-out')}</HeaderCell>
                  <HeaderCell unseen>{t('remove')}</HeaderCell>
                </tr>
              </thead>
              <tbody>
                {files.map((file, index) => (
                  <FileRows key={file.key} file={file} preview={previewOf(index)} answers={answersOf(file)} busy={storing.isPending} onAnswer={(next) => { setAnswers(new Map(answers).set(file.upload.id, next)) }} />
                ))}
              </tbody>
            </Table>
          </div>
          {(preview.error ?? storing.error) !== null && (
            <Notice tone="error" className="m-4" action={preview.error && <Button variant="outline" size="sm" onClick={() => void preview.refetch()}>{t('read-again')}</Button>}>
              {words(preview.error ?? storing.error)}
            </Notice>
          )}
          <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-hairline px-4 py-3">
            <p className="mr-auto max-w-2xl text-sm text-muted">{t('own-use')}</p>
            <p role="status" className="text-muted">{storing.isPending ? t('storing') : preview.isFetching ? t('reading') : ''}</p>
            <Button variant="outline" disabled={storing.isPending} onClick={() => { removeFiles(files.map(({ key }) => key)) }}>
              {t('cancel')}
            </Button>
            <Button busy={storing.isPending} disabled={ready.length === 0 || preview.isFetching} onClick={() => { storing.mutate(ready) }}>
              {t('store')}
            </Button>
          </div>
        </Card>
      )}
    </>
  )
}

const FileRows = ({ file, preview, answers, busy, onAnswer }: { file: PriceFile; preview: PricePreviewShown | undefined; answers: Answers; busy: boolean; onAnswer: (answers: Answers) => void }) => {
  const { t } = useTranslation('prices')
  const format = useFormat()
  const { name } = file.upload
  const bad = preview?.bad.reduce((sum, { count }) => sum + count, 0) ?? 0
  const asksChoice = preview !== undefined && (preview.choices.length > 1 || preview.choice === null || answers.choice !== null)
  const isAsked = preview !== undefined && preview.problem === null && (preview.needsContract || answers.contract !== null || asksChoice)
  return (
    <>
      <tr>
        <Cell className="max-w-72 truncate font-medium" title={name}>{name}</Cell>
        {preview === undefined ? (
          <Cell colSpan={3}><Skeleton className="h-3 w-40" /></Cell>
        ) : preview.problem !== null ? (
          <Cell colSpan={3} className="py-2 whitespace-normal!">
            <span className="flex items-start gap-2">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-loss" />
              <span>{t(`problem.${preview.problem}`, { inside: preview.choices[0]?.inside ?? 0, of: preview.choices[0]?.of ?? 0 })}</span>
            </span>
          </Cell>
        ) : (
          <>
            <Cell className="whitespace-normal!"><Contents preview={preview} /></Cell>
            <Cell end>{format.count(preview.rows)}</Cell>
            <Cell end>{bad > 0 ? <span className="text-warn">{format.count(bad)}</span> : <span className="text-muted">{format.count(0)}</span>}</Cell>
          </>
        )}
        <Cell end>
          <Button variant="ghost" size="icon" className="-mr-2" disabled={busy} aria-label={t('remove-of', { file: name })} title={t('remove')} onClick={() => { removeFiles([file.key]) }}>
            <X aria-hidden />
          </Button>
        </Cell>
      </tr>
      {(isAsked || bad > 0) && preview !== undefined && (
        <tr>
          <td colSpan={5} className="border-b border-hairline bg-ground px-4 py-3">
            <div className="flex flex-wrap gap-x-6 gap-y-3">
              {isAsked && (preview.needsContract || answers.contract !== null) && <ContractField file={name} given={answers.contract} busy={busy} onAnswer={(contract) => { onAnswer({ ...answers, contract }) }} />}
              {isAsked && asksChoice && <ChoiceField preview={preview} busy={busy} onAnswer={(choice) => { onAnswer({ ...answers, choice }) }} />}
              {bad > 0 && <BadRows bad={preview.bad} />}
            </div>
          </td>
        </tr>
      )}
    </>
  )
}

const Contents = ({ preview: { contracts, grain, choice, choices } }: { preview: PricePreviewShown }) => {
  const { t } = useTranslation('prices')
  const format = useFormat()
  const grainName = useGrainName()
  const proved = choices.length === 1 && choice !== null && choice.of > 0
  return (
    <ul>
      {contracts.map(({ contract, from, to, known }) => (
        <li key={contract}>
          {contract !== '' && <span className="font-medium">{contract}, </span>}
          {format.span(from, to)}, {grainName(grain)}
          {known && <span className="text-muted"> · {t('known')}</span>}
        </li>
      ))}
      {proved && <li className="text-sm text-muted">{t('fills-inside', { inside: choice.inside, of: choice.of })}</li>}
    </ul>
  )
}

const ContractField = ({ file, given, busy, onAnswer }: { file: string; given: string | null; busy: boolean; onAnswer: (contract: string | null) => void }) => {
  const { t } = useTranslation('prices')
  const [typed, setTyped] = useState(given ?? '')
  const take = (): void => { onAnswer(typed.trim() === '' ? null : typed.trim().toUpperCase()) }
  return (
    <Field label={t('contract')} hint={t('contract-hint')} className="w-64">
      {(field) => (
        <Input
          {...field}
          aria-label={t('contract-of', { file })}
          value={typed}
          maxLength={40}
          disabled={busy}
          onChange={(event) => { setTyped(event.target.value) }}
          onBlur={take}
          onKeyDown={(event) => { if (event.key === 'Enter') take() }}
        />
      )}
    </Field>
  )
}

const ChoiceField = ({ preview: { choices, choice, grain, name }, busy, onAnswer }: { preview: PricePreviewShown; busy: boolean; onAnswer: (choice: PriceChoiceInput) => void }) => {
  const { t } = useTranslation('prices')
  const scalesDiffer = new Set(choices.map(({ scale }) => scale)).size > 1
  const labelsDiffer = grain > 0 && new Set(choices.map(({ label }) => label)).size > 1
  const all = choice !== null && !choices.some((one) => keyOf(one) === keyOf(choice)) ? [choice, ...choices] : choices
  const words = ({ zone, label, scale, inside, of }: TriedPriceChoice): string => {
    const parts = [zone.replaceAll('_', ' ')]
    if (labelsDiffer) parts.push(t(`label.${label}`))
    if (scalesDiffer) parts.push(t('times', { factor: String(10 ** scale) }))
    if (of > 0) parts.push(t('fills-inside', { inside, of }))
    return parts.join(' · ')
  }
  return (
    <Field label={t('read-as')} hint={t(choices.some(({ of }) => of > 0) ? 'read-as-hint' : 'read-as-blind')} className="min-w-96">
      {({ id, 'aria-describedby': note }) => (
        <Select
          id={id}
          aria-describedby={note}
          aria-label={t('read-as-of', { file: name })}
          className="w-full"
          disabled={busy}
          value={choice === null ? undefined : keyOf(choice)}
          placeholder={t('choose')}
          onChange={(key) => {
            const chosen = all.find((one) => keyOf(one) === key)
            if (chosen !== undefined) onAnswer({ zone: chosen.zone, label: chosen.label, scale: chosen.scale })
          }}
          options={all.map((one) => ({ value: keyOf(one), label: words(one) }))}
        />
      )}
    </Field>
  )
}

const BadRows = ({ bad }: Pick<PricePreviewShown, 'bad'>) => {
  const { t } = useTranslation('prices')
  const format = useFormat()
  return (
    <ul className="text-sm text-muted">
      {bad.map(({ problem, count, line }) => (
        <li key={problem}>{t(`row.${problem}`, { count, shown: format.count(count), line: format.count(line) })}</li>
      ))}
    </ul>
  )
}

const Result = ({ files }: { files: readonly PriceImportedShown[] }) => {
  const { t } = useTranslation('prices')
  const format = useFormat()
  const failed = files.filter(({ problem }) => problem !== null)
  const freed = files.flatMap((file) => file.freed)
  const stored = [...Map.groupBy(files.flatMap(({ problem, contracts }) => (problem === null ? contracts : [])), ({ contract }) => contract)]
  const sum = (counts: readonly number[]): string => format.count(counts.reduce((all, count) => all + count, 0))
  return (
    <Notice
      tone={failed.length > 0 ? 'error' : 'info'}
      className="shrink-0 items-center!"
      action={
        <Button asChild variant="link">
          <Link to={`${paths.settings}?section=prices`}>{t('see-stored')}</Link>
        </Button>
      }
    >
      <span role="status">
        {stored.map(([contract, of]) => (
          <span key={contract} className="block">{t('stored', { contract, added: sum(of.map(({ added }) => added)), known: sum(of.map(({ known }) => known)) })}</span>
        ))}
        {failed.map(({ name, problem }) => (
          <span key={name} className="block">{name}: {problem !== null && t(`problem.${problem}`, { inside: 0, of: 0 })}</span>
        ))}
        {freed.length > 0 && <span className="block text-muted">{t('freed', { count: freed.length })}</span>}
      </span>
    </Notice>
  )
}
