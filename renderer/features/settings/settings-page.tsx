import { languageOf, languages } from '#renderer/i18n/languages.ts'
import { desktop } from '#renderer/lib/desktop.ts'
import { useSession } from '#renderer/lib/session.ts'
import { choosePalette, chooseTheme, useAppearance } from '#renderer/lib/theme.ts'
import { Chip } from '#renderer/ui/badge.tsx'
import { LegalLinks } from '#renderer/ui/legal-links.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { Archive, FileSpreadsheet, type LucideIcon } from 'lucide-react'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { useChooseLanguage } from '#renderer/ui/use-choose-language.ts'
import { journalFilePath } from '#shared/api/journal-file.ts'
import type { DownloadPath } from '#shared/api/session.ts'
import { tradesCsvPath } from '#shared/api/statistics.ts'
import { AccountSection } from './account-section.tsx'
import { BackupsSection } from './backups-section.tsx'
import { CommissionsSection } from './commissions-section.tsx'
import { ComputerSection } from './computer-section.tsx'
import { CopiesSection } from './copies-section.tsx'
import { ImportJournal } from './import-journal.tsx'

const sections = ['commissions', 'points', 'stops', 'copies', 'journal', 'prices', 'backups', 'appearance', 'computer', 'account'] as const
type Section = (typeof sections)[number]

/** The user's data beyond single trades; the address names the section. */
export const SettingsPage = () => {
  const { t } = useTranslation('settings')
  const [params, setParams] = useSearchParams()
  const { session } = useSession()
  const isThere = (one: Section): boolean => one !== 'computer' || desktop !== null
  const section: Section = sections.find((one) => one === params.get('section') && isThere(one)) ?? 'commissions'
  return (
    <Page title={t('title')} chips={session !== null && <Chip name={t('time-zone')}>{session.timeZone}</Chip>}>
      <div className="mx-auto max-w-5xl">
        <Tabs
          label={t('sections')}
          value={section}
          onChange={(next) => { setParams({ section: next }, { replace: true }) }}
          tabs={[
            { value: 'commissions', label: t('commissions'), panel: <CommissionsSection /> },
            { value: 'points', label: t('point-values'), panel: <Later><Points /></Later> },
            { value: 'stops', label: t('stops'), panel: <Later><Stops /></Later> },
            { value: 'copies', label: t('copies'), panel: <CopiesSection /> },
            { value: 'journal', label: t('journal-file:tab'), panel: <JournalSection /> },
            { value: 'prices', label: t('prices:title'), panel: <Later><PricesPanel /></Later> },
            { value: 'backups', label: t('backups:tab'), panel: <BackupsSection /> },
            { value: 'appearance', label: t('appearance'), panel: <AppearanceSection /> },
            ...(desktop === null ? [] : [{ value: 'computer' as const, label: t('computer.tab'), panel: <ComputerSection shell={desktop.shell} /> }]),
            { value: 'account', label: session?.demo === true ? t('account:demo.tab') : t('account:tab'), panel: <AccountSection /> },
          ]}
        />
        <footer className="mt-6">
          <LegalLinks />
        </footer>
      </div>
    </Page>
  )
}

const Points = lazy(async () => ({ default: (await import('./points-section.tsx')).PointsSection }))
const Stops = lazy(async () => ({ default: (await import('./stops-section.tsx')).StopsSection }))
const Prices = lazy(async () => ({ default: (await import('./prices-section.tsx')).PricesSection }))
const PriceFeeds = lazy(async () => ({ default: (await import('./price-feeds.tsx')).PriceFeeds }))

const Later = ({ children }: { children: ReactNode }) => <Suspense fallback={<Skeleton className="h-40 w-full opacity-50" />}>{children}</Suspense>

/** The prices that are stored, and where more come from. */
const PricesPanel = () => (
  <div className="flex flex-col gap-4">
    <Prices />
    <PriceFeeds />
  </div>
)

/** Exporting the whole journal as one file and its trades as a table, and importing a journal. */
const JournalSection = () => {
  const { t } = useTranslation('journal-file')
  return (
    <div className="flex flex-col gap-4">
      <Card title={t('export')} note={t('export-note')}>
        <ul className="divide-y divide-hairline">
          <ExportLine Icon={Archive} title={t('whole')} text={t('whole-text')} action={t('whole-action')} path={journalFilePath} />
          <ExportLine Icon={FileSpreadsheet} title={t('csv')} text={t('csv-text')} action={t('csv-action')} path={tradesCsvPath} />
        </ul>
      </Card>
      <ImportJournal />
    </div>
  )
}

const ExportLine = ({ Icon, title, text, action, path }: { Icon: LucideIcon; title: string; text: string; action: string; path: DownloadPath }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3">
    <Icon aria-hidden className="size-5 shrink-0 text-faint" />
    <div className="min-w-64 flex-1">
      <h3 className="font-medium">{title}</h3>
      <p className="max-w-2xl text-muted">{text}</p>
    </div>
    <Button asChild variant="outline">
      <DownloadLink path={path}>{action}</DownloadLink>
    </Button>
  </li>
)

/** Theme, colors of gains and losses, and language: the choices of the account menu. */
const AppearanceSection = () => {
  const { t, i18n } = useTranslation('app')
  const chooseLanguage = useChooseLanguage()
  const { mode, palette } = useAppearance()
  return (
    <Card title={t('settings:appearance')} note={t('settings:appearance-note')}>
      <div className="flex flex-col gap-4 p-4">
        <Choice title={t('account.theme')}>
          <Segmented label={t('account.theme')} value={mode} onChange={chooseTheme} options={[{ value: 'dark', label: t('account.dark') }, { value: 'light', label: t('account.light') }, { value: 'system', label: t('account.system') }]} />
        </Choice>
        <Choice title={t('account.palette')}>
          <Segmented label={t('account.palette')} value={palette} onChange={choosePalette} options={[{ value: 'standard', label: t('account.green-red') }, { value: 'colour-blind', label: t('account.blue-orange') }]} />
        </Choice>
        <Choice title={t('account.language')}>
          <Segmented label={t('account.language')} value={languageOf(i18n.language).code} onChange={chooseLanguage} options={languages.map(({ code, name: label }) => ({ value: code, label }))} />
        </Choice>
      </div>
    </Card>
  )
}

const Choice = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-2">
    <span className="font-medium">{title}</span>
    {children}
  </div>
)
