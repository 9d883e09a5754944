import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build, type Plugin } from 'vite'

const config = fileURLToPath(new URL('../../build/vite.config.ts', import.meta.url))
const notWords = /(\{\{[^}]*\}\}|\$t\([^)]*\)|<[^>]*>)/

/** A sentence whose every word is 40 % longer; placeholders, references and tags stay. */
export const longer = (sentence: string): string =>
  sentence.split(notWords).map((piece) => (notWords.test(piece) ? piece : piece.replace(/\p{L}{2,}/gu, (word) => word + word.slice(0, Math.ceil(word.length * 0.4)).toLowerCase()))).join('')

const longerWithin = (value: unknown): unknown => (typeof value === 'string' ? longer(value) : Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, longerWithin(inner)])))

const lengthen: Plugin = {
  name: 'fillbook:longer-words',
  enforce: 'pre',
  transform: (text, id) => (/\/locales\/en\/[^/]+\.json$/.test(id) ? JSON.stringify(longerWithin(JSON.parse(text))) : null),
}

/** Builds the page into `folder` with every English word 40 % longer. */
export const buildLonger = async (folder: string): Promise<void> => {
  // A build says that all of this process is in production.
  const before = process.env['NODE_ENV']
  await build({ configFile: config, logLevel: 'error', plugins: [lengthen], build: { outDir: folder, emptyOutDir: true } })
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
}

/** Gives the browser the page of `folder` in the place of the program's own; what it asks of the program goes there. */
export const serveInstead = async (page: Page, folder: string): Promise<void> => {
  await page.route(/^http:\/\/127\.0\.0\.1:\d+\/assets\//, (route) => route.fulfill({ path: join(folder, new URL(route.request().url()).pathname) }))
  const index = await readFile(join(folder, 'index.html'), 'utf8')
  await page.route(/^http:\/\/127\.0\.0\.1:\d+\/$/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: index })
  })
}
