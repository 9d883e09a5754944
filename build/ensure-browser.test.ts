import { expect, test } from 'vitest'
import { ensureBrowser } from './ensure-browser.ts'

const machine = (present: string[], install: (() => void) | null = null) => ({ places: ['/system', '/own'], exists: (path: string) => present.includes(path), install })

test("the system's browser comes first, then Playwright's own", () => {
  expect(ensureBrowser(machine(['/system', '/own']))).toBe('/system')
  expect(ensureBrowser(machine(['/own']))).toBe('/own')
})

test('where there is none, it is installed once', () => {
  const present: string[] = []
  expect(ensureBrowser(machine(present, () => present.push('/system')))).toBe('/system')
  expect(present).toEqual(['/system'])
})

test('where none can be had, one line says what to do', () => {
  const impossible = (): never => {
    throw new Error('apt-get: a long story')
  }
  for (const install of [null, impossible]) expect(() => ensureBrowser(machine([], install))).toThrow(/^No Chromium for the screen tests: run `npx playwright install chromium`.*\.$/)
})
