import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { pictureSeals, sealsFile, sourcesOf } from './picture-seals.ts'

test('the pictures of README, guide and landing page show what the screens look like now', () => {
  const kept = JSON.parse(readFileSync(sealsFile, 'utf8')) as unknown
  const now = pictureSeals()
  expect(kept, 'npm run pictures, then look at each picture and commit them with docs/pictures.json').toEqual(now)
  expect(readdirSync(dirname(sealsFile)).filter((name) => name.endsWith('.webp'))).toEqual(Object.keys(now).flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`]).toSorted())
})

test('a picture depends on its components, their words and styles, and not on other screens', () => {
  const sources = sourcesOf('overview')
  for (const one of ['renderer/features/overview/equity-chart.tsx', 'renderer/app/sidebar.tsx', 'renderer/ui/tokens.css', 'renderer/i18n/locales/en/overview.json', 'renderer/ui/button.tsx']) expect(sources).toContain(one)
  expect(sources.filter((path) => path.includes('features/') && !path.includes('features/overview/'))).toEqual([])
  expect(sourcesOf('rules').map((path) => basename(path))).toContain('rules.json')
})
