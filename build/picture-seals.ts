import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Where the seals of the pictures are. */
export const sealsFile = join(root, 'docs/pictures.json')

const overview = 'renderer/features/overview'
const scanner = 'renderer/features/position-scanner'

/** The pictures of README, guide and landing page with the components that they show; lazily loaded parts are named too. */
const shown: Readonly<Record<string, readonly string[]>> = {
  overview: [`${overview}/overview-page.tsx`, `${overview}/equity-chart.tsx`],
  reconciliation: ['renderer/features/reconciliation/reconciliation-page.tsx'],
  'trade-copier': ['renderer/features/trade-copier/trade-copier-page.tsx'],
  'position-scanner': [`${scanner}/position-scanner-page.tsx`],
  rules: [`${scanner}/position-scanner-page.tsx`, `${scanner}/rules-panel.tsx`, `${scanner}/replay-chart.tsx`],
  'ai-report': ['renderer/features/ai-report/ai-report-page.tsx'],
  cloud: ['renderer/app/place-status.tsx'],
  'auto-sync': ['renderer/features/auto-sync/auto-sync-page.tsx'],
  import: ['renderer/features/imports/import-page.tsx'],
  backups: ['renderer/features/settings/backups-section.tsx'],
}
/** The frame around every screen, the styles, and the script that takes the pictures. */
const ofAll = ['renderer/app/dashboard-layout.tsx', 'renderer/ui/styles.css', 'renderer/ui/tokens.css', 'tests/screenshots/docs-pictures.ts', 'tests/e2e/stated/stated-rules.ts']

const imported = /^(?:import|export)\b[^'"]*?from '([^']+)'/gm
const spoken = /\buseTranslation\('([\w-]+)'\)|\bt\('([\w-]+):/g

const pathOf = (named: string, from: string): string | null => {
  const path = named.startsWith('#renderer/') ? named.replace('#', '') : named.startsWith('.') ? join(dirname(from), named) : null
  return path !== null && /^renderer\/.*\.tsx?$/.test(path) && existsSync(join(root, path)) ? path : null
}

/** The files that a picture shows, below the project's root: components, their English texts, styles, and the script that takes it. Files that only compute are left out. */
export const sourcesOf = (picture: string): string[] => {
  const seen = new Set<string>()
  const words = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    if (!path.startsWith('renderer/') || path.endsWith('.css')) return
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, own, other] of text.matchAll(spoken)) words.add(`renderer/i18n/locales/en/${own ?? other ?? ''}.json`)
    for (const [, named = ''] of text.matchAll(imported)) {
      const next = pathOf(named, path)
      if (next !== null) visit(next)
    }
  }
  for (const path of [...ofAll, ...(shown[picture] ?? [])]) visit(path)
  return [...seen, ...words].filter((path) => !path.startsWith('renderer/') || !path.endsWith('.ts')).toSorted()
}

// Comments are invisible.
const seenOf = (path: string): string | Buffer => {
  const bytes = readFileSync(join(root, path))
  return path.endsWith('.webp') ? bytes : bytes.toString('utf8').replaceAll(/^\s*(?:\{?\/\*|\/\/|\*).*\n/gm, '')
}

const sealOf = (picture: string): string => {
  const hash = createHash('sha256')
  for (const path of [...sourcesOf(picture), ...['dark', 'light'].map((theme) => `docs/${picture}-${theme}.webp`)]) hash.update(path).update('\0').update(seenOf(path)).update('\0')
  return hash.digest('base64url').slice(0, 22)
}

/** One seal per picture: it is valid as long as both image files are the taken ones and the screens look as they did then. */
export const pictureSeals = (): Record<string, string> => Object.fromEntries(Object.keys(shown).map((picture) => [picture, sealOf(picture)]))
