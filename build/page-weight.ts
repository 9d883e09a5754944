import type { PagePart } from './page-parts.ts'

/** One built file: its compressed size in bytes, its static imports, and those that it may load later. */
export type BuiltFile = { readonly bytes: number; readonly needs: readonly string[]; readonly fetches: readonly string[] }

/** The built page: its files by name, its entry, and the output file of each source (paths below the project's root). */
export type BuiltPage = { readonly files: ReadonlyMap<string, BuiltFile>; readonly beginning: string; readonly fileOf: (source: string) => string; readonly draws: (file: string) => boolean }

/** The weight of a route in bytes of compressed script: before it shows, in addition to what is loaded, and what may load later. */
export type RouteWeight = { readonly name: string; readonly first: boolean; readonly shows: number; readonly later: number; readonly drawsAtOnce: boolean; readonly draws: boolean }

/** The most that a route may weigh, in bytes of compressed script: the first route with everything below it, and each further one in addition. */
export const most = { first: 200_000, further: 124_000 } as const

/** Namespaces that any page may need. */
export const spokenEverywhere = ['app', 'plans', 'problems', 'ui'] as const

const open = /\/features\/(auth|landing|legal|not-found)\//

/** Weighs every screen of the router, as if it were the first opened after a signed-out one; the heavier language counts. */
export const weigh = (page: BuiltPage, parts: readonly PagePart[], languages: readonly string[]): readonly RouteWeight[] => {
  const file = (name: string): BuiltFile => {
    const found = page.files.get(name)
    if (!found) throw new Error(`Not built: ${name}`)
    return found
  }
  const reach = (names: Iterable<string>, next: (one: BuiltFile) => readonly string[], within: ReadonlySet<string> = new Set()): Set<string> => {
    const reached = new Set<string>()
    const visit = (name: string): void => {
      if (reached.has(name) || within.has(name)) return
      reached.add(name)
      next(file(name)).forEach(visit)
    }
    for (const name of names) visit(name)
    return reached
  }
  const needed = (names: Iterable<string>): Set<string> => reach(names, ({ needs }) => needs)
  const bytes = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + file(name).bytes, 0)
  const spoken = (language: string, sentences: Iterable<string>): string[] => [...new Set(sentences)].map((namespace) => page.fileOf(`renderer/i18n/locales/${language}/${namespace}.json`))
  const whole = (some: readonly PagePart[], language: string): Set<string> =>
    needed([...some.map((part) => page.fileOf(part.file)), ...spoken(language, some.flatMap(({ sentences }) => sentences))])
  const heavier = (weight: (language: string) => number): number => Math.max(...languages.map(weight))

  const both = (some: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> => new Set([...some, ...others])
  const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): string[] => [...some].filter((name) => !others.has(name))
  const standing = (language: string): Set<string> => needed([page.beginning, ...spoken(language, spokenEverywhere)])
  const frame = parts.filter(({ by, from }) => by === 'fetchPart' && from.endsWith('/router.tsx'))
  return parts
    .filter(({ by }) => by === 'screen')
    .map((screen) => {
      const first = open.test(screen.file)
      const own = first ? [screen] : [...frame, screen]
      const atOnce = (language: string): Set<string> => whole(own, language)
      const afterwards = (language: string): Set<string> => {
        const here = both(atOnce(language), standing(language))
        const asked = without(whole([screen], language), standing(language)).flatMap((name) => file(name).fetches)
        return reach(asked, ({ needs, fetches }) => [...needs, ...fetches], here)
      }
      return {
        name: screen.path ?? screen.file,
        first,
        shows: heavier((language) => bytes(first ? both(atOnce(language), standing(language)) : without(atOnce(language), standing(language)))),
        later: heavier((language) => bytes(afterwards(language))),
        drawsAtOnce: languages.some((language) => [...both(atOnce(language), standing(language))].some(page.draws)),
        draws: languages.some((language) => [...afterwards(language)].some(page.draws)),
      }
    })
}

/** What is wrong with these weights, one sentence each; none if all are within `most`. */
export const faultsOf = (weights: readonly RouteWeight[]): readonly string[] =>
  weights.flatMap(({ name, first, shows, later, drawsAtOnce }) => {
    const limit = first ? most.first : most.further
    return [
      ...(shows > limit ? [`${name} shows only after ${String(shows)} bytes of script, more than ${String(limit)}`] : []),
      ...(later > most.further ? [`${name} may fetch ${String(later)} bytes of script later, more than ${String(most.further)}`] : []),
      ...(drawsAtOnce ? [`${name} fetches the charts before it shows one`] : []),
    ]
  })
