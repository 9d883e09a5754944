import { languageOf, languages } from '#renderer/i18n/languages.ts'
import { chooseTheme, useAppearance } from '#renderer/lib/theme.ts'
import { Languages, Monitor, Moon, Sun } from 'lucide-react'
import { lazy, startTransition, Suspense, useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import type { Choice } from './choice-menu.tsx'
import { useChooseLanguage } from './use-choose-language.ts'

const modes = [['dark', Moon], ['light', Sun], ['system', Monitor]] as const
const ChoiceMenu = lazy(async () => ({ default: (await import('./choice-menu.tsx')).ChoiceMenu }))

/** A button whose menu loads when it is first pressed. */
const ChoiceButton = ({ label, value, choices, ...rest }: { label: string; value: string; choices: readonly Choice[] } & Omit<ComponentProps<typeof Button>, 'value'>) => {
  const [asked, setAsked] = useState(false)
  const looks = { variant: 'ghost', 'aria-haspopup': 'menu', 'aria-label': label, title: label, ...rest } as const
  // The button stays unchanged until the menu has loaded.
  if (!asked) return <Button aria-expanded={false} onClick={() => { startTransition(() => { setAsked(true) }) }} {...looks} />
  const trigger = <Button {...looks} />
  return <Suspense fallback={trigger}><ChoiceMenu trigger={trigger} label={label} value={value} choices={choices} /></Suspense>
}

/** The choices of language and theme for signed-out pages, as two small menus. */
export const LookMenus = () => {
  const { t, i18n } = useTranslation('app')
  const chooseLanguage = useChooseLanguage()
  const { mode } = useAppearance()
  const language = languageOf(i18n.language)
  const Mark = modes.find(([one]) => one === mode)?.[1] ?? Monitor
  return (
    <>
      <ChoiceButton
        label={t('account.language')}
        value={language.code}
        choices={languages.map(({ code, name }) => ({ value: code, label: name, choose: () => { chooseLanguage(code) } }))}
        aria-label={`${t('account.language')} ${language.name}`}
        className="max-sm:w-8 max-sm:px-0"
      >
        <Languages aria-hidden />
        <span aria-hidden className="max-sm:hidden">
          {language.name}
        </span>
      </ChoiceButton>
      <ChoiceButton label={t('account.theme')} value={mode} choices={modes.map(([value]) => ({ value, label: t(`account.${value}`), choose: () => { chooseTheme(value) } }))} size="icon">
        <Mark aria-hidden />
      </ChoiceButton>
    </>
  )
}
