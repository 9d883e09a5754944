import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { appMenu, contextMenu, type PointedAt } from './menus.ts'
import { createWords } from './words.ts'

type Item = MenuItemConstructorOptions
const words = createWords('en')
const calls: string[] = []
const record = (what: string) => (): void => void calls.push(what)
const actions = { goTo: (route: string) => void calls.push(route), back: record('back'), forward: record('forward'), syncTrades: record('sync'), openDiagnostics: record('diagnostics'), openLogs: record('logs') }
const menu = (platform: NodeJS.Platform, packaged = true): Item[] => appMenu({ platform, packaged, words, actions })
const below = (item: Item): Item[] => item.submenu as Item[]
const entries = (items: Item[]): Item[] => items.flatMap((item) => [item, ...(item.submenu ? entries(below(item)) : [])])
const roles = (items: Item[]): (string | undefined)[] => entries(items).map(({ role }) => role)

test.each(['darwin', 'win32', 'linux'] as const)('%s: every entry has words, does something, and no two share their keys', (platform) => {
  const all = entries(menu(platform)).filter(({ type }) => type !== 'separator')
  for (const item of all) expect([item.label, item.role !== undefined || item.click !== undefined || item.submenu !== undefined]).toEqual([expect.stringMatching(/./), true])
  const keys = all.map(({ accelerator }) => accelerator).filter((key) => key !== undefined)
  expect(new Set(keys).size).toBe(keys.length)
  for (const role of ['copy', 'paste', 'selectAll', 'reload', 'quit', 'togglefullscreen', 'resetZoom']) expect(roles(menu(platform))).toContain(role)
})

test('macOS has an app menu first and a window menu', () => {
  expect(menu('darwin').map(({ label }) => label)).toEqual(['Fillbook', 'File', 'Edit', 'View', 'Go', 'Window', 'Help'])
  expect(menu('linux').map(({ label }) => label)).toEqual(['File', 'Edit', 'View', 'Go', 'Help'])
})

test('only the unpacked program has developer tools', () => {
  expect(roles(menu('linux'))).not.toContain('toggleDevTools')
  expect(roles(menu('linux', false))).toContain('toggleDevTools')
})

test('each entry navigates to its page', () => {
  calls.length = 0
  for (const label of ['Import Files…', 'Sync Trades', 'Diagnostics', 'Settings…', 'Back', 'Forward', 'Overview', 'TradeLogbook', 'Show Log']) {
    const found = entries(menu('linux')).find((item) => item.label === label)
    found?.click?.({} as never, undefined, {} as never)
  }
  expect(calls).toEqual(['/dashboard/Import', 'sync', 'diagnostics', '/dashboard/Settings', 'back', 'forward', '/dashboard', '/dashboard/TradeLogbook', 'logs'])
})

const editFlags = { canCopy: true, canCut: true, canPaste: false, canSelectAll: true } as PointedAt['editFlags']
const nowhere: PointedAt = { isEditable: false, selectionText: '', misspelledWord: '', dictionarySuggestions: [], editFlags }
const done: string[] = []
const spelling = { replace: (word: string) => void done.push(`replace ${word}`), learn: (word: string) => void done.push(`learn ${word}`) }
const labels = (pointedAt: Partial<PointedAt>): (string | undefined)[] => contextMenu({ ...nowhere, ...pointedAt }, words, spelling).map(({ label }) => label)

test('without a text field or a selection there is no menu', () => {
  expect(labels({})).toEqual([])
  expect(labels({ selectionText: ' \n' })).toEqual([])
})

test('selected text can be copied', () => {
  expect(labels({ selectionText: 'MNQ' })).toEqual(['Copy'])
})

test('a text field offers what it allows', () => {
  const items = contextMenu({ ...nowhere, isEditable: true }, words, spelling)
  expect(items.map(({ role, enabled }) => [role, enabled])).toEqual([['cut', true], ['copy', true], ['paste', false], ['selectAll', true]])
})

test('a misspelled word can be replaced or added to the dictionary', () => {
  const items = contextMenu({ ...nowhere, isEditable: true, misspelledWord: 'stopp', dictionarySuggestions: ['stop', 'stops', 'a', 'b', 'c', 'd'] }, words, spelling)
  expect(items.slice(0, 6).map(({ label }) => label)).toEqual(['stop', 'stops', 'a', 'b', 'c', 'Add to Dictionary'])
  for (const item of [items[1], items[5]]) item?.click?.({} as never, undefined, {} as never)
  expect(done).toEqual(['replace stops', 'learn stopp'])
})

test('a word without suggestions says so', () => {
  expect(labels({ isEditable: true, misspelledWord: 'xq' }).slice(0, 2)).toEqual(['No suggestions', 'Add to Dictionary'])
})
