import { apiQuery } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Cell, HeaderCell, RowHeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { backupRoutes, restoreFates, restoreKinds, type RestoreExample, type RestorePreview as Preview } from '#shared/api/backups.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

/** What a restore would do to the current journal, in counts and examples; with `whole` what was added since is removed. */
export const RestorePreview = ({ name, whole }: { name: string; whole: boolean }) => {
  const { t } = useTranslation('backups')
  const words = useProblemText()
  const { data, error } = useQuery({ ...apiQuery(backupRoutes.previewRestore, { query: { name } }), staleTime: 0, gcTime: 0, refetchOnWindowFocus: false })
  if (error !== null) return <Notice tone="warn">{words(error)}</Notice>
  const preview = data?.preview
  if (preview === null) return <Notice tone="warn">{t('preview.unknown')}</Notice>
  const kinds = restoreKinds.filter((kind) => preview === undefined || restoreFates.some((fate) => preview.counts[kind][fate] > 0))
  if (kinds.length === 0) return <Notice>{t('preview.nothing')}</Notice>
  return (
    <>
      <div className="rounded-md border border-hairline">
        <Table aria-label={t('preview.title')} aria-busy={preview === undefined}>
          <thead>
            <tr>
              <HeaderCell unseen>{t('preview.kinds')}</HeaderCell>
              {restoreFates.map((fate) => <HeaderCell key={fate} end>{t(`preview.fate.${cameTo(fate, whole)}`)}</HeaderCell>)}
            </tr>
          </thead>
          <tbody>
            {preview === undefined ? <SkeletonRows rows={3} columns={4} figures={3} /> : kinds.map((kind) => <Counts key={kind} kind={kind} counts={preview.counts[kind]} />)}
          </tbody>
        </Table>
      </div>
      {preview && <Examples preview={preview} whole={whole} />}
    </>
  )
}

const cameTo = (fate: RestoreExample['fate'], whole: boolean) => (fate !== 'added' ? fate : whole ? 'goes' : 'stays')

const Counts = ({ kind, counts }: { kind: RestoreExample['kind']; counts: Preview['counts'][RestoreExample['kind']] }) => {
  const { t } = useTranslation('backups')
  const format = useFormat()
  return (
    <tr>
      <RowHeaderCell>{t(`preview.kind.${kind}`)}</RowHeaderCell>
      {restoreFates.map((fate) => <Cell key={fate} end quiet={counts[fate] === 0} className="tabular-nums">{counts[fate] === 0 ? t('none') : format.count(counts[fate])}</Cell>)}
    </tr>
  )
}

const Examples = ({ preview: { examples }, whole }: { preview: Preview; whole: boolean }) => {
  const { t } = useTranslation('backups')
  return (
    <section aria-label={t('preview.examples')} className="mt-3 flex flex-col gap-2 text-sm">
      {restoreFates.map((fate) => {
        const own = examples.filter((one) => one.fate === fate)
        if (own.length === 0) return null
        return (
          <div key={fate}>
            <h3 className="font-medium text-muted">{t('preview.for-example', { fate: t(`preview.fate.${cameTo(fate, whole)}`) })}</h3>
            <ul className="mt-0.5 flex flex-col gap-0.5">
              {own.map((example, index) => <Example key={index} example={example} />)}
            </ul>
          </div>
        )
      })}
    </section>
  )
}

const Example = ({ example: { kind, fate, what, day, field, then, now } }: { example: RestoreExample }) => {
  const { t } = useTranslation('backups')
  const format = useFormat()
  const named = [t(field === null ? `preview.one.${kind}` : `preview.field.${field}`), what, day === null ? null : format.fullDay(day)].filter((part) => part !== null)
  const text = fate === 'changed' && then !== null && now !== null ? t('preview.becomes', { then, now }) : ((fate === 'added' ? now : then) ?? '')
  return (
    <li className="line-clamp-2 break-words">
      <span className="text-muted">{named.join(' · ')}</span>
      {text !== '' && <> {fate === 'changed' ? text : t('preview.says', { text })}</>}
    </li>
  )
}
