import { apiQuery } from '#renderer/lib/api.ts'
import { takeFiles, useDroppedFiles } from '#renderer/lib/dropped-files.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Chosen } from './choices.tsx'
import { DraftCard } from './draft-card.tsx'
import { DropZone } from './drop-zone.tsx'
import { PastImports } from './past-imports.tsx'
import { useDraft } from './use-draft.ts'
import { useImport, useImports, useWorks, type Imported } from './use-import.ts'

/** Brings exported files into the journal: what they are and would do, then what came of it, and all imports so far. */
export const ImportPage = () => {
  const { t } = useTranslation('import')
  const words = useProblemText()
  const draft = useDraft()
  const listed = useImports()
  const works = useWorks()
  const [chosen, setChosen, likely] = useChosen()
  const [done, setDone] = useState<Imported | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const { data: accounts } = useQuery({ ...apiQuery(brokerageRoutes.connectedAccounts), select: (answer) => [...new Set(answer.accounts.map(({ name }) => name))] })
  const importing = useImport(
    (imported) => {
      setDone(imported)
      if (imported.imported === null) return
      draft.clear(true)
      setChosen({ ...chosen, accounts: {} })
    },
    (problem) => { setFailure(problem.code === 'import-cancelled' ? null : problem) },
  )
  // One that another page began, or this one before it was read anew.
  const elsewhere = importing.work === null ? (listed.data?.running ?? null) : null

  const add = (files: readonly File[]): void => {
    setDone(null)
    setFailure(null)
    draft.add(files)
  }
  const takeDropped = useEffectEvent(() => {
    if (importing.work === null) add(takeFiles())
  })
  const dropped = useDroppedFiles((state) => state.waiting)
  useEffect(() => {
    if (dropped.length > 0) takeDropped()
  }, [dropped])

  return (
    <Page title={t('title')} className="flex flex-col gap-3.5">
      {elsewhere !== null && <Notice>{t('under-way')}</Notice>}
      {done?.imported && <Result imported={done.imported} />}
      {failure !== null && (
        <Notice tone="error" className="shrink-0">
          <span className="font-semibold">{t('failed')}</span> {words(failure)}
        </Notice>
      )}
      <DropZone small={draft.files.length > 0} disabled={importing.work !== null} onFiles={add} />
      {draft.files.length > 0 && (
        <DraftCard draft={draft} chosen={chosen} onChange={setChosen} likely={likely} accounts={accounts ?? []} works={works} importing={{ ...importing, start: (wishes) => { setFailure(null); importing.start(wishes) } }} />
      )}
      <PastImports listed={listed} />
    </Page>
  )
}

/** The choices of the next import, and the zones that are likely: the profile's and this computer's. */
const useChosen = (): [Chosen, (chosen: Chosen) => void, readonly string[]] => {
  const profile = useSession().session?.timeZone ?? 'UTC'
  const [zone, setZone] = useState<string | null>(null)
  const [accounts, setAccounts] = useState<Chosen['accounts']>({})
  const [dates, setDates] = useState<Chosen['dates']>(new Map())
  const set = (next: Chosen): void => {
    setZone(next.zone)
    setAccounts(next.accounts)
    setDates(next.dates)
  }
  return [{ zone: zone ?? profile, accounts, dates }, set, [profile, Intl.DateTimeFormat().resolvedOptions().timeZone]]
}

const Result = ({ imported: { settled: { fills, pairs, trips, offTick } } }: { imported: NonNullable<Imported['imported']> }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const counts = [t('fills', { count: fills.added, shown: format.count(fills.added) }), t('pairs', { count: pairs.added, shown: format.count(pairs.added) }), t('trips', { count: trips.added, shown: format.count(trips.added) })]
  return (
    <Notice
      className="shrink-0"
      action={
        <Button asChild variant="link" className="shrink-0">
          <Link to={paths.reconciliation}>{t('see-days')}</Link>
        </Button>
      }
    >
      <span role="status">
        <span className="font-semibold">{t('imported')}</span> {t('imported-counts', { counts: counts.join(' · ') })}
        {offTick > 0 && <span className="block text-muted">{t('off-tick', { count: offTick, shown: format.count(offTick) })}</span>}
      </span>
    </Notice>
  )
}
