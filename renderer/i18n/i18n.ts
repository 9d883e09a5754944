import { createInstance, type i18n as I18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { setDesktopLanguage } from '#renderer/lib/desktop.ts'
import { languageOf, languages, type LanguageCode } from './languages.ts'

const savedKey = 'lang'
const files = import.meta.glob<object>(['./locales/*/*.json', '!./locales/*/error.json'], { import: 'default' })
// The text for a failed load must be available without loading anything.
const always = import.meta.glob<object>('./locales/*/error.json', { eager: true, import: 'default' })
const resources = Object.fromEntries(languages.map(({ code }) => [code, { error: always[`./locales/${code}/error.json`] ?? {} }]))

/** The texts of the current language, as far as they were needed: one namespace per file in `locales`. */
export const i18n: I18n = createInstance()
void i18n.use(initReactI18next).init({
  lng: languageOf(localStorage.getItem(savedKey)).code,
  resources,
  // With everything at hand it is ready at once.
  initAsync: false,
  // Every language is complete, which a test checks.
  fallbackLng: false,
  parseMissingKeyHandler: (_key, usual) => (usual as string | undefined) ?? '',
  defaultNS: 'app',
  interpolation: { escapeValue: false },
})

/** What every page may need; the other namespaces load with the screens that use them. */
const wanted = new Set(['app', 'plans', 'problems', 'ui'])

const missing = (language: string, among: Iterable<string> = wanted): string[] => [...among].filter((namespace) => !i18n.hasResourceBundle(language, namespace))

const fetchSentences = async (language: string, namespaces: readonly string[]): Promise<void> => {
  await Promise.all(
    namespaces.map(async (namespace) => {
      const load = files[`./locales/${language}/${namespace}.json`]
      if (!load) throw new Error(`No sentences: ${language}/${namespace}`)
      i18n.addResourceBundle(language, namespace, await load())
    }),
  )
}

const markOutside = (code: string): void => {
  document.documentElement.lang = languageOf(code).tag
  setDesktopLanguage(code)
}

/** Starts in the saved language; called once before the first render. Rejects if the texts that every page needs fail to load, but still has the words to say so. */
export const startI18n = async (): Promise<void> => {
  markOutside(i18n.language)
  await fetchSentences(i18n.language, missing(i18n.language))
}

/** Settles once the texts of these namespaces are loaded in the current language, and keeps them loaded in every language chosen later; rejects if they fail to load. */
export const needSentences = async (namespaces: readonly string[]): Promise<void> => {
  for (const namespace of namespaces) wanted.add(namespace)
  try {
    // Another language may be chosen meanwhile.
    while (missing(i18n.language, namespaces).length > 0) await fetchSentences(i18n.language, missing(i18n.language, namespaces))
  } catch (failure) {
    // No other screen may lack texts because this one failed.
    for (const namespace of missing(i18n.language, namespaces)) wanted.delete(namespace)
    throw failure
  }
}

/** Switches the language once all its texts are loaded, and saves the choice; if they fail to load, it rejects and the language stays. */
export const chooseLanguage = async (code: LanguageCode): Promise<void> => {
  // A screen may need more meanwhile.
  while (missing(code).length > 0) await fetchSentences(code, missing(code))
  localStorage.setItem(savedKey, code)
  markOutside(code)
  await i18n.changeLanguage(code)
}
