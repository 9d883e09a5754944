import { createInstance, type i18n as I18n, type Resource } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { speakOnDesktop } from '#renderer/lib/desktop.ts'
import { languageOf, type LanguageCode } from './languages.ts'

const savedKey = 'lang'
const files = import.meta.glob<Record<string, unknown>>('./locales/*/*.json', { eager: true, import: 'default' })

const resources: Resource = {}
for (const [path, sentences] of Object.entries(files)) {
  const [, language, namespace] = /locales\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? []
  if (language && namespace) resources[language] = { ...resources[language], [namespace]: sentences }
}

const markOutside = (code: string): void => {
  document.documentElement.lang = languageOf(code).tag
  speakOnDesktop(code)
}

/** The sentences of every bundled language: one namespace a file in `locales`, English where a translation lacks one. */
export const i18n: I18n = createInstance()

/** Loads the sentences in the saved language; called once before the first render. */
export const startI18n = async (): Promise<void> => {
  const { code } = languageOf(localStorage.getItem(savedKey))
  markOutside(code)
  await i18n.use(initReactI18next).init({
    resources,
    lng: code,
    fallbackLng: 'en',
    ns: Object.keys(resources['en'] ?? {}),
    defaultNS: 'app',
    interpolation: { escapeValue: false },
  })
}

/** Switches the language, and remembers it. */
export const chooseLanguage = async (code: LanguageCode): Promise<void> => {
  localStorage.setItem(savedKey, code)
  markOutside(code)
  await i18n.changeLanguage(code)
}
