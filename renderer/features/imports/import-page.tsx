import { apiQuery } from '#renderer/lib/api.ts'
import { takeFiles, useDroppedFiles } from '#renderer/lib/dropped-files.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession, useUserId } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import type { SettledCounts } from '#shared/api/imports.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { DraftCard } from './draft-card.tsx'
import { DropZone } from './drop-zone.tsx'
import { FormatsCard } from './formats-card.tsx'
import { PastImports } from './past-imports.tsx'
import type { PriceFile } from './prices-card.tsx'
import { addFiles, setChoices, useDraft, type DraftFile, type Imported } from './use-draft.ts'
import { useImport, useImports, useUndo, useWorks } from './use-import.ts'

const PricesCard = lazy(async () => ({ default: (await import('./prices-card.tsx')).PricesCard }))

const isOfPrices = (file: DraftFile): file is PriceFile => file.upload?.prices === true

/** Imports exported files into the journal: their preview, then the result, and all imports so far. */
export const ImportPage = () => {
  const { t } = useTranslation('import')
  const words = useProblemText()
  const user = useUserId()
  const profile = useSession().session?.timeZone ?? 'UTC'
  const draft = useDraft(user)
  const listed = useImports()
  const works = useWorks()
  const { data: accounts } = useQuery({ ...apiQuery(brokerageRoutes.connectedAccounts), select: (answer) => [...new Set(answer.accounts.map(({ name }) => name))] })
  const importing = useImport(draft.work)
  const exported = draft.files.filter((file) => !isOfPrices(file))
  const ofPrices = draft.files.filter(isOfPrices)
  // The card stays for its result once they are stored.
  const [hadPrices, setHadPrices] = useState(false)
  if (ofPrices.length > 0 && !hadPrices) setHadPrices(true)
  // One that another page began, or this one before it was reloaded.
  const elsewhere = draft.work === null ? (listed.data?.running ?? null) : null

  const takeDropped = useEffectEvent(() => {
    if (draft.work === null) addFiles(takeFiles())
  })
  const dropped = useDroppedFiles((state) => state.waiting)
  useEffect(() => {
    if (dropped.length > 0) takeDropped()
  }, [dropped])

  return (
    <Page title={t('title')} className="flex flex-col gap-3.5">
      {elsewhere !== null && <Notice>{t('under-way')}</Notice>}
      {draft.undone === null ? draft.done?.imported && <Result imported={draft.done.imported} undone={listed.data?.imports.some(({ id, undoneAt }) => id === draft.done?.imported?.id && undoneAt !== null) ?? false} /> : <Undone settled={draft.undone} />}
      {draft.failure !== null && (
        <Notice tone="error" className="shrink-0">
          <span className="font-semibold">{t('failed')}</span> {words(draft.failure)}
        </Notice>
      )}
      <DropZone small={draft.files.length > 0} disabled={draft.work !== null} onFiles={addFiles} />
      {hadPrices && (
        <Suspense>
          <PricesCard files={ofPrices} zone={profile} />
        </Suspense>
      )}
      {exported.length > 0 && (
        <DraftCard
          draft={{ ...draft, files: exported }}
          chosen={{ zone: draft.zone ?? profile, accounts: draft.accounts, dates: draft.dates }}
          onChange={setChoices}
          likely={[profile, Intl.DateTimeFormat().resolvedOptions().timeZone]}
          accounts={accounts ?? []}
          works={works}
          importing={importing}
        />
      )}
      <FormatsCard wanted={draft.files.length > 0} />
      <PastImports listed={listed} />
    </Page>
  )
}

/** What an undone import removed from the journal; `settled` is null if another page undid it. */
const Undone = ({ settled }: { settled: SettledCounts | null }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const counts = (['fills', 'pairs', 'trades'] as const).flatMap((what) => {
    const count = settled?.[what].removed ?? 0
    return count === 0 ? [] : [t(`of-undone.${what}`, { count, shown: format.count(count) })]
  })
  return (
    <Notice className="shrink-0">
      <span role="status">
        <span className="font-semibold">{t('import-undone')}</span>
        {settled !== null && ` ${counts.length === 0 ? t('nothing-removed') : t('removed-counts', { counts: counts.join(' · ') })}`}
      </span>
    </Notice>
  )
}

/** The result of an import. Its undo, unlike that in the list below, asks no question: the files are still at hand. */
const Result = ({ imported: { id, settled: { fills, pairs, trades, offTick } }, undone }: { imported: NonNullable<Imported['imported']>; undone: boolean }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const words = useProblemText()
  const undo = useUndo((failure) => { toast({ title: t('undo-failed'), text: words(failure), tone: 'error' }) })
  const counted = (count: number) => ({ count, shown: format.count(count) })
  const counts = [t('fills', counted(fills.added)), t('pairs', counted(pairs.added)), t('trades', counted(trades.added))]
  if (undone) return <Undone settled={null} />
  return (
    <Notice
      className="shrink-0 items-center!"
      action={
        <span className="flex shrink-0 items-center gap-3">
          <Button asChild variant="link">
            <Link to={paths.reconciliation}>{t('see-days')}</Link>
          </Button>
          <Button variant="outline" size="sm" busy={undo.isPending} onClick={() => { undo.mutate(id) }}>
            {t('undo-this')}
          </Button>
        </span>
      }
    >
      <span role="status">
        <span className="font-semibold">{t('imported')}</span> {t('imported-counts', { counts: counts.join(' · ') })}
        {offTick > 0 && <span className="block text-muted">{t('off-tick', counted(offTick))}</span>}
      </span>
    </Notice>
  )
}
