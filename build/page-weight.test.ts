import { describe, expect, it } from 'vitest'
import { partsOf } from './page-parts.ts'
import { faultsOf, most, weigh, type BuiltFile, type BuiltPage } from './page-weight.ts'

const file = (bytes: number, needs: readonly string[] = [], fetches: readonly string[] = []): BuiltFile => ({ bytes, needs, fetches })
const words = ['en', 'ml-IND'].flatMap((language) => ['app', 'plans', 'problems', 'ui', 'auth', 'day'].map((namespace) => [`renderer/i18n/locales/${language}/${namespace}.json`, file(language === 'en' ? 10 : 20)] as const))

/** A page of two screens, one of which anybody sees; `more` takes the place of some of its files. */
const pageWith = (more: Readonly<Record<string, BuiltFile>> = {}): BuiltPage => ({
  files: new Map([
    ...words,
    ['main', file(1_000, ['library'], ['frame', 'sign-in', 'day', 'chart'])],
    ['library', file(500)],
    ['frame', file(300, ['library', 'parts'])],
    ['parts', file(200, ['library'])],
    ['sign-in', file(100, ['main'])],
    ['day', file(70, ['main', 'parts', 'table'], ['dialog', 'chart'])],
    ['table', file(30)],
    ['dialog', file(40, ['parts'])],
    ['chart', file(60)],
    ...Object.entries(more),
  ]),
  beginning: 'main',
  fileOf: (source) => ({ 'renderer/app/dashboard-layout.tsx': 'frame', 'renderer/features/auth/sign-in-page.tsx': 'sign-in', 'renderer/features/day/day-page.tsx': 'day' })[source] ?? source,
  draws: (name) => name === 'chart',
})

const { parts } = partsOf(
  'renderer/app/router.tsx',
  `
  const frame = async () => ({ Component: await fetchPart([], async () => (await import('./dashboard-layout.tsx')).DashboardLayout) })
  const signIn = screen(paths.signIn, ['auth'], async () => (await import('#renderer/features/auth/sign-in-page.tsx')).SignInPage)
  `,
)
const all = [...parts, { by: 'screen', path: 'day', sentences: ['day'], file: 'renderer/features/day/day-page.tsx', from: 'renderer/app/router.tsx' } as const]
const weighed = (page: BuiltPage) => weigh(page, all, ['en', 'ml-IND'])

describe('what a route weighs', () => {
  it('finds what the router fetches, and with which sentences', () => {
    expect(parts.map(({ by, path, sentences }) => [by, path, sentences.join()])).toEqual([['fetchPart', null, ''], ['screen', 'signIn', 'auth']])
  })
  it('counts each file once: the first with all under it, a further one with its frame, both with the heavier language', () => {
    expect(weighed(pageWith())).toEqual([
      { name: 'signIn', first: true, shows: 1_000 + 500 + 100 + 5 * 20, later: 0, drawsAtOnce: false, draws: false },
      { name: 'day', first: false, shows: 300 + 200 + 70 + 30 + 20, later: 40 + 60, drawsAtOnce: false, draws: true },
    ])
    expect(faultsOf(weighed(pageWith()))).toEqual([])
  })
  it('tells a first route, a further one, and what may follow it, that are too heavy', () => {
    expect(faultsOf(weighed(pageWith({ library: file(most.first) })))).toEqual([`signIn shows only after ${String(most.first + 1_200)} bytes of script, more than 200000`])
    expect(faultsOf(weighed(pageWith({ table: file(most.further) })))).toEqual([`day shows only after ${String(most.further + 590)} bytes of script, more than 124000`])
    expect(faultsOf(weighed(pageWith({ dialog: file(most.further) })))).toEqual([`day may fetch ${String(most.further + 60)} bytes of script later, more than 124000`])
  })
  it('tells charts that come before one shows', () => {
    expect(faultsOf(weighed(pageWith({ table: file(30, ['chart']) })))).toEqual(['day fetches the charts before it shows one'])
  })
})
