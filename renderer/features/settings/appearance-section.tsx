import { languageOf, languages } from '#renderer/i18n/languages.ts'
import { choosePalette, chooseTheme, useAppearance } from '#renderer/lib/theme.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { useChooseLanguage } from '#renderer/ui/use-choose-language.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Theme, colors of gains and losses, and language: the choices of the account menu. */
export const AppearanceSection = () => {
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
