import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { PublicFrame } from '#renderer/ui/public-frame.tsx'
import { useTranslation } from 'react-i18next'
import { FactList } from './fact-list.tsx'
import { Opening } from './opening.tsx'
import { Part } from './part.tsx'
import { Picture } from './picture.tsx'
import { PlanList } from './plan-list.tsx'
import { ScreenTabs } from './screen-tabs.tsx'
import { Ways } from './ways.tsx'

/** What Fillbook is and promises, to whoever comes first, and the ways in; open to everybody. */
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
