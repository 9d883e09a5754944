import { expect, test } from 'vitest'
import { licensesOf, mayShip, shippedLicenses } from './licenses.ts'
import { runtime, shippedList } from './shipped.ts'

test('a license may ship if every part of it may, or one of its alternatives', () => {
  expect(['MIT', '(MIT)', 'MIT AND OFL-1.1', 'GPL-3.0-only OR MIT', '(BSD-3-Clause OR GPL-2.0)'].filter((one) => !mayShip(one))).toEqual([])
  expect(['GPL-3.0-only', 'AGPL-3.0-or-later', 'LGPL-2.1', 'SSPL-1.0', 'MIT AND GPL-2.0-only', 'MPL-2.0', 'SEE LICENSE IN EULA.txt', 'UNLICENSED', '', 'mit', 'MIT AND (GPL-2.0-only OR GPL-3.0-only)', '(MIT OR GPL-2.0-only) AND (GPL-3.0-only)', '(GPL-2.0-only) OR MIT', '((MIT))', 'GPL-2.0-only WITH Classpath-exception-2.0'].filter(mayShip)).toEqual([])
})

test('everything shipped has an allowed license, with its text', () => {
  const licenses = shippedLicenses()
  expect(licenses).toHaveLength(shippedList().length + 2)
  for (const { name, license, text } of licenses) {
    expect([name, mayShip(license)]).toEqual([name, true])
    expect([name, text.length > 300], name).toEqual([name, true])
  }
  const of = (name: string): string => licenses.find((one) => one.name === name)?.text ?? ''
  // One brings its text, one only names its author, two hold what is somebody else's.
  expect(of('zod')).toMatch(/^MIT License\n\nCopyright \(c\) \d+ Colin McDonnell/)
  expect(of('fontkit')).toMatch(/^Copyright \(c\) Devon Govett\n\nPermission is hereby granted[^]*SOFTWARE\.$/)
  expect(of('@firebase/app')).toMatch(/^Copyright \(c\) Firebase\n\nApache License[^]*END OF TERMS AND CONDITIONS$/)
  expect(of('@expo-google-fonts/inter')).toMatch(/MIT License[^]*SIL OPEN FONT LICENSE/i)
  expect(of('PostgreSQL (@electric-sql/pglite)')).toContain('The Regents of the University of California')
  expect(of('vite')).not.toContain('Bundled dependencies')
  expect(licenses.map(({ name }) => name)).toContain(runtime)
})

test('a package without an allowed license is refused, with what to do', () => {
  // Tools that stay at home.
  expect(licensesOf(['@axe-core/playwright']).faults).toEqual([expect.stringMatching(/^@axe-core\/playwright [\d.]+ is under MPL-2\.0/)])
  expect(licensesOf(['zod', 'png-js']).faults).toEqual([])
})
