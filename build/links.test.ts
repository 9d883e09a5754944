import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = globSync(['README.md', 'docs/**/*.md', '{cloud,electron,renderer,tests}/**/README.md'], { cwd: root })

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** The anchors that GitHub gives to the headings of a document. */
const anchorsOf = (path: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ''] of textOf(path).replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    let anchor = plain
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${plain}-${String(count)}`
    anchors.add(anchor)
  }
  return anchors
}

const isBroken = (from: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : join(dirname(from), decodeURIComponent(path))
  return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).has(anchor))
}

test('README stays under 10,000 bytes', () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(10_000)
})

test('every relative link and anchor in the documents leads somewhere', () => {
  const links = documents.flatMap((from) => [...withoutCode(textOf(from)).matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = '']) => ({ from, link })))
  const relative = links.filter(({ link }) => !/^[a-z]+:/.test(link))
  expect(relative.length).toBeGreaterThan(200)
  expect(relative.filter(({ from, link }) => isBroken(from, link))).toEqual([])
})

test.each(['docs/architecture.md', 'docs/development.md'])('every path that %s names exists', (document) => {
  const paths = [...textOf(document).replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`((?:shared|electron|renderer|cloud|migrations|build|tests|docs)\/[^`\s{}*]*)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

const sources = globSync(['{build,cloud,electron,renderer,shared,tests}/**/*.{ts,tsx}'], { cwd: root })

test.each(documents.filter((path) => path.endsWith('README.md') && path.includes('/')))('every file that %s names exists', (document) => {
  const named = [...textOf(document).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !sources.some((source) => source === name || source.endsWith(`/${name}`)))).toEqual([])
})
