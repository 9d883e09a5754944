import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { PublicFrame } from '#renderer/ui/public-frame.tsx'
import { useTranslation } from 'react-i18next'
import { useId, useState, type ReactNode } from 'react'
import { FileDown, FlaskConical, RefreshCw } from 'lucide-react'
import { PlanFacts } from '#renderer/ui/plan-facts.tsx'
import { planTypes } from '#shared/plans/plan.ts'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { Picture } from './picture.tsx'
import { Entry } from './entry.tsx'

/** What Fillbook is and promises to a first-time visitor, and the ways in; open to everyone. */
export const LandingPage = () => {
  const { t } = useTranslation('landing')
  return (
    <PublicFrame>
      <DocumentTitle shows={t('title')} />
      <div className="mx-auto flex max-w-6xl flex-col gap-14 px-5 pt-10 pb-14 max-sm:gap-10 max-sm:px-4 max-sm:pt-7">
        <Opening />
        <Part name={t('ways.heading')}>
          <Ways />
        </Part>
        <Part name={t('proof.heading')} text={t('proof.text')}>
          <FactList
            facts={(['pairs', 'balance', 'source', 'unchecked'] as const).map((id) => ({ name: t(`proof.${id}`), text: t(`proof.${id}-text`) }))}
          />
          <Picture name="reconciliation" />
        </Part>
        <Part name={t('screens.heading')}>
          <ScreenTabs />
        </Part>
        <Part name={t('data.heading')}>
          <FactList
            facts={(['here', 'cloud', 'nothing', 'yours'] as const).map((id) => ({ name: t(`data.${id}`), text: t(`data.${id}-text`) }))}
          />
        </Part>
        <Part name={t('plans.heading')} text={t('plans.text')}>
          <PlanList />
        </Part>
        <p className="max-w-3xl text-sm text-muted">{t('caution')}</p>
      </div>
    </PublicFrame>
  )
}

/** Short facts beside each other. */
const FactList = ({ facts }: { facts: readonly { readonly name: string; readonly text: string }[] }) => (
  <ul className="grid grid-cols-4 overflow-hidden rounded-lg border border-line bg-line gap-px max-lg:grid-cols-2 max-sm:grid-cols-1">
    {facts.map(({ name, text }) => (
      <li key={name} className="bg-surface p-4">
        <h3 className="font-semibold">{name}</h3>
        <p className="mt-1 text-muted">{text}</p>
      </li>
    ))}
  </ul>
)

/** The promise, the way in, and a picture of it. */
const Opening = () => {
  const { t } = useTranslation('landing')
  return (
    <div className="flex flex-col gap-8">
      <div className="max-w-3xl">
        <h1 className="text-[2rem] leading-(--leading-headline) font-semibold tracking-[-0.02em] text-balance max-sm:text-headline">{t('opening.heading')}</h1>
        <p className="mt-3 text-title text-muted">{t('opening.text')}</p>
        <Entry />
      </div>
      <Picture name="overview" first />
    </div>
  )
}

/** A section of the page under its heading. */
const Part = ({ name, text, children }: { name: string; text?: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div>
        <h2 id={id} className="text-figure font-semibold tracking-[-0.015em]">
          {name}
        </h2>
        {text && <p className="mt-1 max-w-3xl text-muted">{text}</p>}
      </div>
      {children}
    </section>
  )
}

/** The plans with their prices. */
const PlanList = () => (
  <ul className="grid grid-cols-4 gap-3.5 max-lg:grid-cols-2 max-sm:grid-cols-1">
    {planTypes.map((plan) => (
      <li key={plan} className="flex flex-col gap-3 rounded-lg border border-line bg-surface px-5 pt-5 pb-3">
        <PlanFacts plan={plan} id={`plan-${plan}`} Heading="h3" />
      </li>
    ))}
  </ul>
)

const screens = ['trade-copier', 'position-scanner', 'rules', 'ai-report'] as const
type Screen = (typeof screens)[number]

/** Screens of the app, one at a time. */
const ScreenTabs = () => {
  const { t } = useTranslation('landing')
  const [shown, setShown] = useState<Screen>('trade-copier')
  return (
    <Tabs
      label={t('screens.heading')}
      value={shown}
      onChange={setShown}
      tabs={screens.map((screen) => ({
        value: screen,
        label: t(`screens.${screen}`),
        panel: (
          <div className="flex flex-col gap-4">
            <p className="max-w-3xl text-muted">{t(`screens.${screen}-text`)}</p>
            <Picture name={screen} />
          </div>
        ),
      }))}
    />
  )
}

const ways = [
  { id: 'demo', Icon: FlaskConical },
  { id: 'files', Icon: FileDown },
  { id: 'sync', Icon: RefreshCw },
] as const

/** The ways to the first trade in the journal, shortest first. */
const Ways = () => {
  const { t } = useTranslation('landing')
  return (
    <ol className="grid grid-cols-3 gap-3.5 max-md:grid-cols-1">
      {ways.map(({ id, Icon }) => (
        <li key={id} className="rounded-lg border border-line bg-surface p-4">
          <h3 className="flex items-center gap-2 font-semibold">
            <Icon aria-hidden className="size-4 shrink-0 text-accent" />
            {t(`ways.${id}`)}
          </h3>
          <p className="mt-1 text-muted">{t(`ways.${id}-text`)}</p>
        </li>
      ))}
    </ol>
  )
}
