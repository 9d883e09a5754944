import { Tabs } from '#renderer/ui/tabs.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Picture } from './picture.tsx'

const screens = ['trade-copier', 'position-scanner', 'rules', 'ai-report'] as const
type Screen = (typeof screens)[number]

/** Some screens of the app, one at a time. */
export const ScreenTabs = () => {
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
