import { expect, test } from 'vitest'
import { licencesOf, mayShip, shippedLicences } from './licences.ts'
import { runtime, shippedList } from './shipped.ts'

test('a licence ships where every part of it may, or one of those to choose from', () => {
  expect(['MIT', '(MIT)', 'MIT AND OFL-1.1', 'GPL-3.0-only OR MIT', '(BSD-3-Clause OR GPL-2.0)'].filter((one) => !mayShip(one))).toEqual([])
  expect(['GPL-3.0-only', 'AGPL-3.0-or-later', 'LGPL-2.1', 'SSPL-1.0', 'MIT AND GPL-2.0-only', 'MPL-2.0', 'SEE LICENSE IN EULA.txt', 'UNLICENSED', '', 'mit', 'MIT AND (GPL-2.0-only OR GPL-3.0-only)', '(MIT OR GPL-2.0-only) AND (GPL-3.0-only)', '(GPL-2.0-only) OR MIT', '((MIT))', 'GPL-2.0-only WITH Classpath-exception-2.0'].filter(mayShip)).toEqual([])
})

test('everything that is shipped has a licence that may be, with its text', () => {
  const licences = shippedLicences()
  expect(licences).toHaveLength(shippedList().length + 2)
  for (const { name, licence, text } of licences) {
    expect([name, mayShip(licence)]).toEqual([name, true])
    expect([name, text.length > 300], name).toEqual([name, true])
  }
  const of = (name: string): string => licences.find((one) => one.name === name)?.text ?? ''
  // One brings its text, one only names its author, two hold what is somebody else's.
  expect(of('zod')).toMatch(/^MIT License\n\nCopyright \(c\) \d+ Colin McDonnell/)
  expect(of('fontkit')).toMatch(/^Copyright \(c\) Devon Govett\n\nPermission is hereby granted[^]*SOFTWARE\.$/)
  expect(of('@firebase/app')).toMatch(/^Copyright \(c\) Firebase\n\nApache License[^]*END OF TERMS AND CONDITIONS$/)
  expect(of('@expo-google-fonts/inter')).toMatch(/MIT License[^]*SIL OPEN FONT LICENSE/i)
  expect(of('PostgreSQL (@electric-sql/pglite)')).toContain('The Regents of the University of California')
  expect(of('vite')).not.toContain('Bundled dependencies')
  expect(licences.map(({ name }) => name)).toContain(runtime)
})

test('a package under a licence that may not be shipped, or under none, is refused with what to do', () => {
  // Tools that stay at home.
  expect(licencesOf(['@axe-core/playwright']).faults).toEqual([expect.stringMatching(/^@axe-core\/playwright [\d.]+ is under MPL-2\.0/)])
  expect(licencesOf(['zod', 'png-js']).faults).toEqual([])
})
